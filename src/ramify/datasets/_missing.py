"""The error of a data set that is known, and not here."""


class MissingDataset(LookupError):  # noqa: N818  (what is missing, not what went wrong)
    """A data set that may not be shipped is neither in the folder RAMIFY_DATA nor in the cache.

    Attributes
    ----------
    dataset : str
        Its name.
    """

    def __init__(self, dataset: str, text: str) -> None:
        super().__init__(text)
        self.dataset = dataset

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        # The default would call the class with the text alone.
        return type(self), (self.dataset, str(self))
