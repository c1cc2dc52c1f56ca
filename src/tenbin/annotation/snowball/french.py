"""The French Snowball stemmer, before it learned the diaeresis."""

import re
from typing import NamedTuple

from tenbin.annotation.snowball.french_endings import STANDARD_ENDS, Starts, without_standard
from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes
