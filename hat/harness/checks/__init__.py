"""What a part must hold beyond the types of its values; each check yields findings with file and line."""
