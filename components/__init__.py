"""KFP components, one folder for each stage; every body is one call of the library."""
