"""Small classification data sets with declared categories, for examples, lessons and experiments.

Every set comes with what a CSV file cannot say: which columns are nominal, the order in which
their categories are declared, the order of the classes, where the data come from and under which
licence.

Examples
--------
>>> from ramify.datasets import list_datasets, load
>>> "titanic" in list_datasets()
True
>>> data = load("buys_computer")
>>> data.X.shape
(14, 4)
>>> data.classes
('no', 'yes')
"""

from ._dataset import Dataset
from ._download import DownloadError
from ._load import list_datasets, load
from ._missing import MissingDataset

__all__ = ["Dataset", "DownloadError", "MissingDataset", "list_datasets", "load"]
