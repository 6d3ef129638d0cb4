"""What other assistants are asked: topics as plain data, each one tool with the facts that its output holds.

A fact is `key|kind|label|unit|questions`: the output's key, the kind of its value, and how the answer names it. A
topic's `subject` is what is numbered in that room; None where the tool takes no argument.
"""

from hat.harness import Frozen


class Fact(Frozen):
    """One thing that can be asked."""

    key: str
    kind: str
    """n1, n2, n3 (numbers of so many digits), time, or a list of `VALUES`."""
    label: str
    unit: str
    questions: tuple[str, ...]


class Topic(Frozen):
    """One tool and the facts it knows."""

    key: str
    subject: str | None
    descriptions: tuple[str, ...]
    facts: tuple[Fact, ...]


VALUES = {
    "material": "纯棉 真丝 羊毛 亚麻 牛皮 竹纤维 聚酯 羽绒".split(),
    "city": "杭州 广州 上海 成都 武汉 义乌 北京 苏州".split(),
    "color": "红色 蓝色 白色 黑色 绿色 米色 灰色 粉色".split(),
    "carrier": "顺丰 中通 圆通 京东 韵达 申通".split(),
    "person": "王老师 李医生 张教练 陈经理 刘师傅 赵店长".split(),
    "dish": "红烧肉 番茄炒蛋 宫保鸡丁 麻婆豆腐 清蒸鱼 酸辣粉".split(),
    "weather": "晴天 多云 小雨 大风 下雪 阴天".split(),
    "level": "初级 中级 高级 入门".split(),
    "prize": "保温杯 雨伞 毛巾 耳机 抱枕 手机壳".split(),
    "yes": "有 没有".split(),
}

_TOPICS = """
item 链接 查商品信息/看商品参数/商品详情/查商品资料
  price|n3|价格|元|多少钱/什么价/价格多少/卖多少/怎么卖
  material|material|材质||什么材质/什么面料/是什么料/料子是什么
  color|color|颜色||什么颜色/颜色是什么/哪个颜色
  weight_g|n3|重量|克|多重/重量多少/有多重
stock 链接 查库存/看剩余件数/有没有货/查还剩多少
  stock|n2|库存|件|还有货吗/库存多少/还剩几件/剩多少
coupon 链接 查优惠券/看能减多少/领券信息/查券
  coupon_amount|n2|券减|元|有券吗/能减多少/优惠券多少/券减几块
  coupon_threshold|n3|门槛|元|满多少能用券/用券门槛多少/券要满多少
deal 链接 查活动/看活动价/促销信息/查特价
  promotion_price|n3|活动价|元|活动价多少/今天特价多少/活动完多少钱
  ends_at|time|活动到||活动几点结束/特价到几点/优惠什么时候结束
delivery 链接 查发货/看物流/查快递时效/送货信息
  ship_from|city|发货地||哪里发货/从哪发/发货地在哪
  days|n1|送达|天|几天到/多久能到/几天送达
  carrier|carrier|快递||什么快递/发哪家快递/用什么快递
service 链接 查售后/看退换规则/退货保修/售后保障
  return_days|n1|退货|天|几天能退/能退货吗/退货期多久
  warranty_months|n2|保修|个月|保修多久/质保几个月/能保修多久
lottery - 查抽奖/看抽奖安排/抽奖时间/查福利
  time|time|抽奖||几点抽奖/什么时候开奖/抽奖几点
  prize|prize|奖品||抽什么奖/奖品是什么/能抽到什么
room 房间 查房间/看客房信息/客房查询/房间情况
  rate|n3|房价|元|一晚多少钱/房费多少/住一晚什么价
  floor|n2|楼层|层|在几楼/哪一层/几层
  breakfast|yes|早餐||有早餐吗/含不含早/带早餐吗
train 车次 查列车/看车次信息/火车查询/列车情况
  departs|time|发车||几点开/什么时候发车/几点出发
  gate|n1|检票口|号|哪个检票口/在哪检票/几号口上车
  fare|n3|票价|元|票价多少/一张票多少钱/车票什么价
film 影厅 查电影/看排片/场次查询/影片安排
  starts|time|开场||几点开场/什么时候放/几点开演
  seats|n2|余座|个|还有座吗/剩几个座/余座多少
course 课程 查课程/看课表/课程安排/上课信息
  teacher|person|老师||谁教/哪位老师/谁来上课
  level|level|难度||什么难度/难不难/适合什么水平
  places|n2|名额|个|还有名额吗/剩几个名额/能报几个人
clinic 诊室 查门诊/看排号/挂号信息/诊室情况
  doctor|person|坐诊||谁坐诊/哪位医生/谁看诊
  queue|n2|排队|人|前面几个人/排了多少人/要等几个
canteen 窗口 查食堂/看今日菜/窗口菜单/食堂信息
  dish|dish|今日菜||今天什么菜/吃什么/有什么菜
  meal_price|n2|餐费|元|一份多少钱/一餐几块/吃一顿多少
library 书架 查图书/看馆藏/找书信息/图书位置
  copies|n1|馆藏|本|有几本/还剩几本/能借几本
  due_days|n2|借期|天|能借多久/借期几天/几天要还
parking 车位 查停车/看车位/停车信息/车库情况
  free|n2|空位|个|还有空位吗/剩几个位/空车位多少
  fee|n1|停车费|元|一小时多少/停车怎么收费/停一会几块
parcel 柜口 查取件/看包裹/快递柜信息/取件查询
  code|n3|取件码||取件码多少/密码是什么/开柜码是多少
  deadline|time|最晚取件||最晚几点取/几点前要拿/什么时候过期
weather - 查天气/看天气预报/气象信息/今日天气
  sky|weather|天气||天气怎么样/会下雨吗/今天什么天
  degrees|n2|气温|度|多少度/气温多少/今天几度
gym 场地 查场馆/看场地安排/场地预约/运动场信息
  coach|person|教练||谁带课/哪位教练/教练是谁
  hour_price|n2|场租|元|一小时场租多少/包场多少钱/租一次几块
"""


def _fact(line: str) -> Fact:
    key, kind, label, unit, questions = line.strip().split("|")
    return Fact(key=key, kind=kind, label=label, unit=unit, questions=tuple(questions.split("/")))


def _topics() -> tuple[Topic, ...]:
    topics: list[Topic] = []
    for line in _TOPICS.strip().splitlines():
        if line.startswith("  "):
            topics[-1] = topics[-1].model_copy(update={"facts": (*topics[-1].facts, _fact(line))})
            continue
        key, subject, descriptions = line.split()
        topics.append(
            Topic(
                key=key,
                subject=None if subject == "-" else subject,
                descriptions=tuple(descriptions.split("/")),
                facts=(),
            )
        )
    return tuple(topics)


TOPICS = _topics()
"""Every topic, each with two facts at least."""
