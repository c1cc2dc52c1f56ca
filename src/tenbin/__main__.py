"""``python -m tenbin``."""

import sys

from tenbin.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
