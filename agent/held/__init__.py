"""For small models: every step is one JSON object that the server holds to a schema. Nothing is parsed out of
prose, no tool and no section can be invented, and a quotation is a numbered line of what was shown."""
