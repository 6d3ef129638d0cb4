"""What structural transforms say: names of output fields and optional parameters, by language, cut to splits.

A field is a key of a canonical tool's output; a tool that is split is described by its fields. A list may go on in the
next line.
"""

from functools import cache
from typing import Any, NamedTuple

from hat.domains.livestream.split import Split
from hat.hsa.wordings import Texts, cut

FIELDS_ZH = """
price: 价格 | 售价 | 卖价 | 单价 | 到手价 | 报价
original_price: 原价 | 划线价 | 标价 | 吊牌价 | 原先价 | 打折前价
material: 材质 | 面料 | 用料 | 料子 | 成分 | 质地
color: 颜色 | 色号 | 花色 | 配色 | 外观色 | 款色
weight_g: 重量 | 克重 | 净重 | 多重 | 分量 | 几克
coupon_amount: 券额 | 优惠券面额 | 减多少 | 券减金额 | 抵扣额 | 券值
coupon_threshold: 门槛 | 满减门槛 | 用券条件 | 满多少 | 起用额 | 使用下限
promotion: 活动名 | 活动内容 | 促销名目 | 什么活动 | 活动玩法 | 优惠名目
promotion_price: 活动价 | 促销价 | 活动期价 | 优惠价 | 活动卖价 | 特卖价
ends_at: 截止时间 | 结束时间 | 到几点 | 何时结束 | 收尾时间 | 几点停
ship_from: 发货地 | 从哪发 | 仓库地 | 寄出地 | 出货地 | 发件城市
days: 几天到 | 送达天数 | 运送天数 | 路上几天 | 时效 | 多久到
carrier: 快递公司 | 哪家快递 | 承运方 | 物流公司 | 寄件公司 | 用什么快递
return_days: 退货期 | 几天可退 | 退换天数 | 无理由天数 | 可退期限 | 退货时限
warranty_months: 保修期 | 质保时长 | 保几个月 | 保修月数 | 质保期 | 保修多久
freight_insurance: 运费险 | 退货运费 | 运费保障 | 退货险 | 邮费险 | 运费保险
stock: 库存 | 余量 | 剩多少 | 存货数 | 现货数 | 总件数
variants: 各款库存 | 分码库存 | 各色余量 | 分款存货 | 各规格数 | 按款余量
time: 开奖时间 | 几点抽 | 抽奖时刻 | 抽奖几点 | 何时开奖 | 开奖钟点
prize: 奖品 | 抽什么 | 奖项 | 礼品 | 送什么 | 中奖得什么
"""
FIELDS_EN = """
price: price | selling price | what it costs | asking price | unit price | current price
original_price: original price | list price | price before | crossed-out price | full price | former price
material: material | fabric | what it is made of | composition | stuff | make-up
color: colour | shade | hue | colouring | tint | finish colour
weight_g: weight | mass | how heavy | grams | net weight | heft
coupon_amount: coupon value | voucher value | coupon discount | amount off | coupon saving | voucher amount
coupon_threshold: minimum spend | spend needed | threshold | least order | coupon condition | order floor
promotion: offer | campaign | promotion name | current deal | event | what is on
promotion_price: offer price | deal price | promotional price | campaign price | event price | reduced price
ends_at: end of the offer | closing time | when it ends | last hour | deadline | offer end
ship_from: place of dispatch | ships from | origin | sending city | warehouse city | where it leaves
days: days to arrive | delivery days | transit days | time on the way | how long it takes | lead time
carrier: carrier | courier | delivery firm | shipping company | who delivers | parcel service
return_days: return period | days to return | return window | return limit | days for returns | return term
warranty_months: warranty | guarantee length | months of warranty | warranty term |
  guarantee period | cover months
freight_insurance: return shipping cover | freight insurance | return postage | shipping cover |
  postage cover | freight cover
stock: stock | units left | how many left | inventory | remaining units | quantity on hand
variants: stock by variant | units of each variant | stock by size | stock by kind |
  variant counts | units by option
time: time of the draw | draw time | when it is drawn | draw hour | hour of the draw | drawing time
prize: prize | what can be won | award | gift | winnings | draw prize
"""
OPTIONS_ZH = """
boolean: 要不要详情 | 是否给全部 | 带不带说明 | 是否包含下架 | 是否附来源 | 要不要简版
integer: 最多给几条 | 返回条数 | 取几条 | 上限条数 | 想要几条 | 每页条数
string: 用什么语言答 | 输出语言 | 语言代码 | 文字语种 | 返回语言 | 结果语言
"""
OPTIONS_EN = """
boolean: whether to add details | include everything | with notes or not | include hidden ones |
  add the source | short form or not
integer: how many at most | number of rows | rows to give | upper limit of rows | rows wanted | page size
string: language of the answer | output language | language code | language of the text |
  answer language | result language
"""
STARTS: dict[str, dict[Any, tuple[Any, ...]]] = {
    "boolean": {False: (True,), True: (False,)},
    "integer": {10: (5, 20, 50), 5: (10, 20), 20: (5, 10, 50), 50: (10, 20)},
    "string": {"zh": ("en", "auto"), "en": ("zh", "auto"), "auto": ("zh", "en")},
}
"""Type to default values, each with those that it may become."""


class Structure(NamedTuple):
    """What one split may say."""

    fields: dict[str, Texts]
    options: dict[str, Texts]
    """JSON type to descriptions."""
    describe: str
    """How a tool is described by its fields, `{}` takes them."""
    comma: str
    """Between fields."""
    stop: str
    """Between two descriptions that become one."""


@cache
def structure(locale: str, split: Split) -> Structure:
    """The words of a language (Chinese for `zh...`, English otherwise) that belong to `split`."""
    if locale.lower().startswith("zh"):
        return Structure(_cut(FIELDS_ZH, split), _cut(OPTIONS_ZH, split), "查{}", "、", "；")
    return Structure(_cut(FIELDS_EN, split), _cut(OPTIONS_EN, split), "Look up {}", ", ", "; ")


def _cut(text: str, split: Split) -> dict[str, Texts]:
    lines = [line.split(": ", 1) for line in text.strip().replace("\n  ", " ").splitlines()]
    return {key: cut([said.strip() for said in texts.split("|")], split, f"structure {key}") for key, texts in lines}
