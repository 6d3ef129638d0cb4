"""The livestream domain: a catalogue of linked products, a room, tools over a snapshot, seeded viewers' tasks."""
