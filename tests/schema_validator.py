"""A small validator of the keywords that the JSON Schema of model files uses."""


def valid(value, schema, root):
    """Return whether a value fits a schema; references are looked up in the schema `root`."""
    if "$ref" in schema:
        return valid(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "if" in schema:
        return valid(value, schema["then" if valid(value, schema["if"], root) else "else"], root)
    if "anyOf" in schema and not any(valid(value, choice, root) for choice in schema["anyOf"]):
        return False
    if "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = {str: {"string"}, bool: {"boolean"}, int: {"integer", "number"}, float: {"number"}}
    kinds |= {list: {"array"}, dict: {"object"}}
    types = schema.get("type", [])
    if types and not kinds[type(value)] & ({types} if isinstance(types, str) else {*types}):
        return False
    if isinstance(value, list) and "items" in schema:
        return all(valid(x, schema["items"], root) for x in value)
    if [*schema] == ["required"]:
        return {*schema["required"]} <= {*value}
    if isinstance(value, dict) and "anyOf" not in schema:
        properties, others = schema.get("properties", {}), schema["additionalProperties"]
        inside = all(
            valid(x, properties[k], root) if k in properties else others and valid(x, others, root)
            for k, x in value.items()
        )
        return bool(inside) and {*schema.get("required", ())} <= {*value}
    return True
