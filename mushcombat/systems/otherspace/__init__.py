"""OtherSpace: Millennium's refereed combat."""
