"""What a reader holds of one collection: a version, and content kept up by deltas of the dialect `splice`."""


class WrongDelta(Exception):
    """A delta that does not fit what the reader holds."""


class Content:
    """Sections of item ids, and the items' contents by id."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.version, self.sections, self.items = None, {}, {}

    def take(self, answer):
        """Applies an answer of any kind; returns whether the content may have changed."""
        if answer["kind"] == "snapshot":
            self.sections = {s["id"]: [text(i["id"]) for i in s["items"]] for s in answer["sections"]}
            self.items = {text(i["id"]): i for s in answer["sections"] for i in s["items"]}
            self.version = answer["version"]
        elif answer["kind"] == "delta":
            self._splice(answer)
        elif answer["kind"] == "deleted":
            self.clear()
        return answer["kind"] != "unchanged"

    def _splice(self, delta):
        if delta["from"] != self.version:
            raise WrongDelta(f"a delta from {delta['from']}, but {self.version} is held")
        gone = set(delta["removed"])
        held = {s: [id for id in ids if id not in gone] for s, ids in self.sections.items()}
        self.sections = {s: held.get(s, []) for s in delta["order"]}
        for section, index, id in delta["added"]:
            self.sections[section].insert(index, id)
        self.items |= delta["items"]
        for id in delta["deleted"]:
            del self.items[id]
        self.version = delta["to"]

    def content(self):
        """The sections with their items, as a writer would PUT them."""
        return [[self.items[id] for id in ids] for ids in self.sections.values()]

    def all_items(self):
        """The items of all sections, one after the other; None while nothing is held."""
        return [item for items in self.content() for item in items] if self.version else None


def text(id):
    return str(id)
