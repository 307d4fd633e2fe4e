from storage.settings import ROOT, Settings
from storage.settings_page import GROUPS, page


def test_the_page_on_the_settings_is_what_the_class_says() -> None:
    written = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert written == page(), "python -m storage.settings_page > docs/settings.md"


def test_every_setting_has_one_place_on_the_page() -> None:
    placed = [name for names in GROUPS.values() for name in names]
    assert sorted(placed) == sorted(Settings.model_fields)


def test_the_page_says_the_range_and_default_of_a_number_and_shows_no_secret() -> None:
    assert "| `ASK262_THRESHOLD` | `5000` | a number from 500 to 1,000,000 |" in page()
    assert "| `ASK262_MAX_SECONDS` | `300.0` | a number over 0 to 86,400 |" in page()
    assert "| `ASK262_API_KEY` | - | a secret |" in page()
