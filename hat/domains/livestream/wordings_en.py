"""What viewers ask and what a right reply says, in English: plain data; see `wordings_zh.py`."""

QUESTIONS = {
    "price": """how much is {ref}|what is the price of {ref}|price of {ref} please|what does {ref} cost
        |how many yuan for {ref}|{ref} is how much""",
    "material": """what is {ref} made of|which material is {ref}|material of {ref}|what stuff is {ref}
        |tell me what {ref} is made from|{ref} is made of what""",
    "color": """what colour is {ref}|which colour does {ref} have|colour of {ref}|tell me the colour of {ref}
        |{ref} is what colour|may I ask the colour of {ref}""",
    "weight": """how heavy is {ref}|what does {ref} weigh|weight of {ref}|how many grams is {ref}
        |is {ref} heavy, how many grams|{ref} weighs how much""",
    "stock": """is {ref} in stock, how many|how many of {ref} are left|stock of {ref}|how much stock has {ref}
        |is {ref} sold out, how many left|how many pieces of {ref} remain""",
    "variant": """how many of {ref} in {variant} are left|is {ref} in stock in {variant}
        |{ref} in {variant}, any left|stock of {variant} for {ref}|I want {ref} in {variant}, how many left
        |{variant} for {ref}, how many""",
    "where": """which link is the {noun}|do you have a {noun}|is there a {noun}|where is the {noun}
        |I want a {noun}, which link|looking for a {noun}""",
    "price_by_name": """how much is the {noun}|price of the {noun}|what does the {noun} cost|the {noun} is how much
        |what do you ask for the {noun}|tell me the {noun} price""",
    "follow": """and {ref}|what about {ref}|how about {ref}|and for {ref}|then {ref}|now {ref}""",
    "greet": """hello|hi all|good evening|hey there|I just came in|hi host""",
    "thanks": """thanks|thank you|thanks a lot|great, thank you|you explain well, thanks|many thanks""",
    "farewell": """bye|see you|I have to go|good night|until tomorrow|leaving now""",
    "clock": """what time is it|what is the time now|time please|do you have the time|how late is it
        |tell me the time""",
    "missing_body": """which size of {ref} fits me|what size should I take of {ref}|my size for {ref}
        |how do I choose a size of {ref}|pick me a size of {ref}|size of {ref} for me""",
    "missing_weight": """I am {height} cm, which size of {ref}|at {height} cm what size of {ref}
        |size of {ref} for {height} cm|{height} cm tall, pick a size of {ref}
        |my height is {height} cm, size of {ref}|for {height} cm which {ref} size""",
    "size": """I am {height} cm and {weight} kg, which size of {ref}|size of {ref} for {height} cm, {weight} kg
        |{height} cm {weight} kg, what size of {ref}|at {weight} kg and {height} cm which {ref} size
        |{ref} for {height} cm and {weight} kg, what size|my height {height} cm, weight {weight} kg, size of {ref}""",
    "promotion": """what discounts has {ref}|how do I save on {ref}|coupon and deal for {ref}|all offers on {ref}
        |can {ref} be cheaper, which offers|what savings on {ref}""",
    "coupon": """is there a coupon for {ref}|which coupon has {ref}|coupon of {ref}
        |what does the coupon of {ref} take off|can I claim a coupon for {ref}|voucher for {ref}""",
    "deal": """what is the deal price of {ref}|deal price for {ref}|is {ref} on a deal, how much
        |tonight's deal on {ref}|what does {ref} cost in the deal|{ref} in the deal is how much""",
    "deal_end": """when does the deal of {ref} end|until when is the deal of {ref}|deal of {ref} ends when
        |end of the deal for {ref}|how long is the deal of {ref} on|when is the deal on {ref} over""",
    "lottery_time": """when is the draw|what time is the lottery|next draw when|when do you draw
        |lottery time please|at what time is the prize draw""",
    "lottery_prize": """what can I win|what is the prize|which prize is in the draw|prize of the lottery
        |what do winners get|what is given away""",
    "delivery": """how long is delivery of {ref}|when does {ref} arrive|where does {ref} ship from
        |days to deliver {ref}|how soon do I get {ref}|shipping of {ref}, from where, how long""",
    "carrier": """which carrier brings {ref}|who delivers {ref}|carrier of {ref}|courier for {ref}
        |what courier for {ref}|{ref} comes with which carrier""",
    "returns": """can I return {ref}|how many days to return {ref}|returns on {ref}
        |if {ref} does not fit, can I return it|return period of {ref}|{ref}, returns within how long""",
    "warranty": """what warranty has {ref}|how long is the warranty of {ref}|warranty of {ref}
        |is {ref} under warranty, how long|months of warranty for {ref}|guarantee of {ref}""",
    "insurance": """is return freight insured for {ref}|has {ref} return insurance|return insurance for {ref}
        |does {ref} come with freight insurance|freight insurance of {ref}|do you insure returns of {ref}""",
    "compare_price": """which is cheaper, {ref} or {other}|{ref} or {other}, which costs less
        |compare the price of {ref} and {other}|is {ref} cheaper than {other}|cheaper one of {ref} and {other}
        |{ref} against {other}, which is cheaper""",
    "compare_weight": """which is lighter, {ref} or {other}|{ref} or {other}, which weighs less
        |compare the weight of {ref} and {other}|is {ref} lighter than {other}|lighter one of {ref} and {other}
        |{ref} against {other}, which is lighter""",
}

ANSWERS = {
    "price": ("link {link_id} costs {price} yuan", "{price} yuan"),
    "material": ("link {link_id} is made of {material}", "it is {material}"),
    "color": ("link {link_id} is {color}", "it is {color}"),
    "weight": ("link {link_id} weighs {weight_g} g", "{weight_g} g"),
    "stock": ("link {link_id} has {stock} left", "{stock} left"),
    "variant": ("link {link_id} has {count} left in {variant}", "{count} left"),
    "where": ("the {noun} is link {link_id}", "link {link_id}"),
    "greet": ("welcome to the room", "welcome"),
    "thanks": ("you are welcome", "you are welcome"),
    "farewell": ("see you next time", "see you"),
    "clock": ("it is {time}", "it is {time}"),
    "missing_link": ("which link do you mean", "which link"),
    "missing_body": ("what are your height and weight", "your height and weight"),
    "missing_weight": ("what is your weight", "your weight"),
    "unknown_link": ("there is no such link here", "no such link"),
    "unknown_product": ("there is no {noun} here", "no {noun} here"),
    "size": ("for link {link_id} take size {size}", "take size {size}"),
    "promotion": (
        "link {link_id}: {coupon_amount} off over {coupon_threshold}, deal price {promotion_price} yuan",
        "{coupon_amount} off, deal {promotion_price} yuan",
    ),
    "coupon": (
        "link {link_id}: {coupon_amount} off over {coupon_threshold}",
        "{coupon_amount} off over {coupon_threshold}",
    ),
    "deal": ("link {link_id} is {promotion_price} yuan, {promotion}", "deal {promotion_price} yuan"),
    "deal_end": ("the deal of link {link_id} ends at {ends_at}", "it ends at {ends_at}"),
    "lottery_time": ("the draw is at {time}", "at {time}"),
    "lottery_prize": ("the prize is a {prize}", "a {prize}"),
    "delivery": ("link {link_id} ships from {ship_from} in {days} days", "{ship_from}, {days} days"),
    "carrier": ("link {link_id} comes by {carrier}", "by {carrier}"),
    "returns": ("link {link_id} can be returned for {return_days} days", "{return_days} days to return"),
    "warranty": ("link {link_id} has {warranty_months} months of warranty", "{warranty_months} months"),
    "insurance_yes": ("link {link_id} has return insurance", "it has return insurance"),
    "insurance_no": ("link {link_id} has no return insurance", "no return insurance"),
    "compare_price": (
        "link {a} costs {left}, link {b} costs {right}, link {best} is cheaper",
        "link {best} is cheaper",
    ),
    "compare_weight": (
        "link {a} weighs {left} g, link {b} weighs {right} g, link {best} is lighter",
        "link {best} is lighter",
    ),
    "denied": ("I cannot look it up right now", "cannot look it up"),
}

ANY_OF = {
    "missing_link": "which|what link|link number",
    "missing_body": "height|weight|tall",
    "missing_weight": "weight|weigh|kg",
    "unknown_link": "no such|not|no link|n't|none",
    "unknown_product": "no |not|n't|none",
    "denied": "cannot|can't|unable|not able|could not|couldn't|fail",
    "insurance_yes": "insur|yes|it has|it does",
    "insurance_no": "no |not|n't|without",
    "compare_price": "cheap|less|lower|save",
    "compare_weight": "light|less",
}

PAIRS = {
    "coupon": (("over", "coupon_threshold"), ("off", "coupon_amount")),
    "compare_price": ("cheaper", "less", "lower"),
    "compare_weight": ("lighter", "less"),
}

FORBIDDEN = {"insurance_yes": "no return|no freight|not|without|doesn't|isn't"}

EXPLICIT = "link {n}|number {n}|item {n}"
CURRENT = "this one|this|the current one"
HAS = ("has", "has no")
UNKNOWN = """rice cooker|fridge|bicycle|umbrella|guitar|tent|printer|lipstick|perfume|skateboard|vase|projector"""
PRIZES = """small fan|snack box|humidifier|water cup|night light|hand cream|doll|cable|scale|hand warmer
    |blue umbrella|key ring"""
ONE_SIZE = "one size"
YUAN = "yuan"
