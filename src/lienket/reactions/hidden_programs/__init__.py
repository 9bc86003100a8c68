"""Hidden programs: further conditions on the state that programs imply (theory 10)."""
