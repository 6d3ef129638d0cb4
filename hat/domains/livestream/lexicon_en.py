"""Other words for the same tools, skills and reply rules, in English; plain data for `lexicon.py`."""

TOOLS = {
    "get_product_info_by_link_id": """look up a product|price, material, colour, weight|product details by link
        |facts of one product|what a linked item costs|item facts by link number|read a product card
        |item price and make""",
    "search_products": """search products by word|find a product by name|is something on sale here
        |name to link numbers
        |keyword search|find items|look for an item|which link sells it""",
    "get_stock": """check stock|how many are left|stock by variant|is it in stock|units left
        |stock of sizes and colours
        |count of items left|availability""",
    "get_size_advice": """size from a height and a weight
        |advise a size|which size fits|pick a size|size by body measures
        |recommend a size|find the right size|fit advice""",
    "get_coupons": """look up coupons|coupon amount and threshold|money-off coupons|coupons to claim|coupon of an item
        |what a coupon takes off|voucher lookup|vouchers and their minimum""",
    "get_promotion": """look up promotions|promotion price and end|current deal|live deal of an item|what offer is on
        |deal price lookup|when an offer ends|special offer""",
    "get_delivery": """delivery and carrier|days to deliver|where it ships from|shipping facts|shipping time
        |carrier lookup
        |how it is delivered|dispatch city and days""",
    "get_lottery": """time and prize of the draw|when is the draw|prize draw|next draw|what can be won|draw schedule
        |the room's lottery|giveaway time""",
    "get_after_sales_policy": """return and warranty terms|after-sales policy|days to return|warranty lookup
        |can it be returned
        |return rules|guarantee and return cover|refund policy""",
}

SKILLS = {
    "item_qa": """answer product questions|price, stock, material|product facts|tell about an item|item questions
        |explain a product|reply on items|product answers""",
    "size_advice": """advise on sizes|which size to wear|size questions|pick a size for a viewer|fit questions
        |answer on fit|help choose a size|sizing replies""",
    "chat": """small talk|greetings and lottery|chat with viewers|say hello|friendly talk|talk and draws
        |casual replies|greet people""",
    "clarification": """ask back|ask for what is missing|which link is meant|not on sale here|make the question clear
        |request missing facts|unclear questions|clear things up""",
    "after_sales": """delivery and returns|shipping and after-sales|answer on delivery|returns and warranty replies
        |after-sales questions|parcels and refunds|service after purchase|shipping replies""",
    "compare_items": """compare two products|how to compare|look up both first|two items side by side|comparison steps
        |choose between two|comparing method|weigh two links""",
    "promotion": """how to look up savings|coupon and deal together|savings steps|look up all offers|discount method
        |check both offers|plan for discounts|steps for deals""",
}

RULES = {
    "opening": """Begin with "{phrase}".|Open every reply with "{phrase}".|The first words are "{phrase}".
        |Start by saying
        "{phrase}".|Say "{phrase}" first.|Lead with "{phrase}".""",
    "closing": """End with "{phrase}".|Close every reply with "{phrase}".|The last words are "{phrase}".
        |Finish by saying
        "{phrase}".|Say "{phrase}" at the end.|Sign off with "{phrase}".""",
}

PHRASES = {
    "opening": """Hi there|Nice to see you|Dear friend|Great to have you|Sure|Good question|Thanks for asking|Hey
        |Of course|Glad to help|Right away|Look here""",
    "closing": """ask me anything|enjoy the show|thank you|have a nice day|follow us for more|see you soon
        |happy shopping
        |do take a look|stay with us|we are here for you|grab it now|many thanks|come again|take care""",
}
