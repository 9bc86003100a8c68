"""Command that prints the JSON Schema of model files: python -m lienket.model.file > model.json_schema.json."""

import json

from .json_schema import json_schema

print(json.dumps(json_schema(), indent=2))
