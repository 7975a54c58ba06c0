"""From a result to the text behind it, and from a term to the same term in the other language."""

from visit import Visit

LESSON = "lessons/04-recall-at-k/"
OUTPUT = "[id=one-query] ~ .output"


def test_a_result_leads_to_the_text_behind_it(visit: Visit) -> None:
    visit.go(LESSON)
    visit.page.click("text='pricing-tiers · Pro tier'")
    assert visit.path == "corpus/#pricing-tiers-pro-tier"
    chunk = visit.page.locator("h3:target + p")
    assert chunk.inner_text().startswith("The pro tier costs 29 euros")
    visit.page.wait_for_function(
        "document.querySelector('h3:target + p').getBoundingClientRect().top < innerHeight"
    )
    assert visit.errors == []


def test_an_output_with_links_reads_as_it_was_printed(visit: Visit) -> None:
    visit.go(LESSON)
    assert visit.page.locator(OUTPUT).first.locator("pre").inner_text().rstrip() == "\n".join(
        [
            "How much discount does the pro tier get?",
            "1. billing-and-invoices · Discount codes",
            "2. pricing-tiers · Pro tier",
            "3. refund-policy · How soon do I get the refund?",
        ]
    )


def test_a_term_leads_to_its_entry_and_on_to_its_twin(visit: Visit) -> None:
    visit.go("lessons/05-precision-at-k/")
    visit.page.click("a[href$='glossary/#noise']")
    assert visit.path == "glossary/#noise"
    visit.page.click("dt:target a")
    assert visit.path == "en/glossary/#noise"
    assert visit.page.locator("dt:target").inner_text().startswith("noise")
    assert visit.errors == []


def test_the_stamp_leads_to_what_it_means(visit: Visit) -> None:
    visit.go(f"en/{LESSON}")
    visit.page.click(".stamp a[href*='about-the-numbers']")
    assert visit.path == "en/about-the-numbers/#stamp"
