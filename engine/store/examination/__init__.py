"""The doctor's questions to the database. None is shared with the modules that write what it asks about."""
