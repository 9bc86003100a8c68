"""The methods of integration, each in a file or folder of its own."""
