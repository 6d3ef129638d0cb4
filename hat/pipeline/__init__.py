"""The training pipeline seen from Python: recipes, the stages' bodies, and a local run side by side on two cores."""
