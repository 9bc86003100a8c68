"""Print the JSON Schema of model files: python -m lienket.model.file > model.schema.json"""

import json

from .schema import json_schema

print(json.dumps(json_schema(), indent=2))
