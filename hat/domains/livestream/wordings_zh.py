"""What viewers ask and what a right reply says, in Chinese: plain data, split by `wordings.py`.

`{ref}` takes a way to name the link, explicit or current; other slots take the task's values.
"""

QUESTIONS = {
    "price": """{ref}多少钱|{ref}什么价格|{ref}价格是多少|{ref}怎么卖|{ref}卖多少|请问{ref}几块钱
        |{ref}现在什么价|想问下{ref}的价格|{ref}贵不贵，多少钱|{ref}售价多少|{ref}要花多少钱|报一下{ref}的价
        |{ref}什么价位|{ref}标价多少|{ref}是多少元|{ref}单价多少|问个价，{ref}多少|{ref}定价几元|{ref}值多少钱
        |说说{ref}的价钱""",
    "material": """{ref}是什么材质|{ref}什么材料做的|{ref}什么面料|{ref}材质是什么|请问{ref}用的什么材料
        |{ref}啥材质呀|{ref}是拿什么做的|说下{ref}的材质|{ref}的用料是什么|{ref}什么质地|{ref}的材料是啥
        |{ref}是什么料子|{ref}用什么做成的|{ref}面料成分是什么|想知道{ref}的材质|{ref}什么料的|介绍下{ref}的用料
        |{ref}由什么材料制成""",
    "color": """{ref}是什么颜色|{ref}什么色|{ref}主打什么颜色|请问{ref}的颜色|{ref}颜色是哪种|{ref}是啥颜色呀
        |{ref}拍的是什么颜色|{ref}哪个颜色|{ref}的颜色是什么|{ref}是哪种色|{ref}啥色|说下{ref}的颜色
        |{ref}发的什么颜色|想问{ref}的颜色|{ref}颜色怎么样，是什么色|{ref}展示的是什么色|{ref}颜色叫什么""",
    "weight": """{ref}多重|{ref}有多少克|{ref}重不重，几克|{ref}重量是多少|请问{ref}多少克重|{ref}称一下多重
        |说下{ref}的重量|{ref}几克|{ref}有多重|{ref}的分量多少|{ref}沉不沉，多少克|{ref}净重多少|{ref}重多少克
        |{ref}拿着多重|想知道{ref}的重量|{ref}毛重几克|{ref}克数是多少""",
    "stock": """{ref}还有多少货|{ref}库存多少|{ref}还剩多少件|{ref}还有几件|请问{ref}现货有几件
        |{ref}剩得多吗，还有几件|{ref}还能拍吗，剩几件|{ref}卖得剩几件了|看下{ref}的库存|{ref}库存还有几件
        |{ref}总共还剩多少|{ref}剩余数量多少|{ref}货还够吗，几件|{ref}现在有多少件|{ref}余量多少|查下{ref}剩多少
        |{ref}总库存几件|{ref}还有没有货，多少件""",
    "variant": """{ref}{variant}还有多少|{ref}{variant}还有几件|{ref}的{variant}还剩多少|{ref}{variant}有货几件
        |请问{ref}{variant}库存多少|{ref}要{variant}，还有几件|{ref}{variant}卖得剩几件
        |想要{ref}{variant}，剩几件|{ref}{variant}剩多少件|{ref}{variant}的库存|{variant}的{ref}还有几件
        |{ref}{variant}有多少货|看下{ref}{variant}剩几件|{ref}{variant}够不够，几件|{ref}还有{variant}吗，几件
        |{ref}{variant}现货多少""",
    "where": """{noun}是几号链接|有{noun}吗|{noun}在几号|有没有{noun}|想买{noun}，几号链接|卖{noun}吗
        |{noun}链接是多少|找一下{noun}|请问{noun}上了吗|{noun}几号|{noun}在哪个链接|帮我找{noun}|{noun}挂的几号
        |{noun}有卖吗|{noun}在哪拍|{noun}是第几号|想看{noun}，在几号|要买{noun}，拍几号""",
    "price_by_name": """买{noun}多少钱|{noun}是什么价|{noun}怎么个卖法|请问{noun}卖多少|想问{noun}的价格
        |{noun}要多少钱|{noun}几块钱|那个{noun}什么价|{noun}价格多少|{noun}卖什么价|{noun}售价几元
        |{noun}贵吗，多少钱|{noun}报个价|{noun}现在多少钱|{noun}的价位|想知道{noun}多少钱""",
    "follow": """那{ref}呢|{ref}呢|{ref}怎么样呢|换成{ref}呢|再看下{ref}|那要是{ref}呢|还有{ref}呢|那么{ref}呢
        |{ref}又是怎样|同样问{ref}|{ref}也说下|也看看{ref}|{ref}的话呢|接着说{ref}|顺便问{ref}|改问{ref}""",
    "greet": """你好|主播好|来了来了|晚上好|大家好|主播晚上好|晚上好呀|刚进来，大家好|新人报到|在吗主播|嗨主播
        |哈喽|主播你好呀|我来啦|又来看你了|打个招呼|进来看看|初次见面|各位晚上好|老粉来了""",
    "thanks": """谢谢主播|谢谢|多谢啦|感谢解答|谢谢你呀|辛苦了主播|主播讲得真清楚|好的谢谢|太感谢了|明白了，谢谢
        |多谢主播|谢谢解答|懂了，多谢|讲得真好，谢谢|谢啦|感谢感谢|非常感谢""",
    "farewell": """我先走了|拜拜|下次再来|先下了|明天见|我去吃饭了，再见|晚安主播|回头见|先撤了|我要下线了
        |改天再看|走了走了|再会|要睡了，晚安|有事先走|先告辞了|下回见""",
    "clock": """现在几点了|几点了主播|现在什么时间|主播现在几点|看下现在几点|请问现在时间|这会儿几点|现在是几点
        |几点钟了|报个时|当前时间是多少|此刻几点|说下现在时间|什么时间了|现在几时|帮看下时间""",
    "missing_body": """{ref}我穿多大码|{ref}我该选什么码|{ref}选几码合适|我穿{ref}要多大|{ref}怎么选尺码
        |{ref}尺码怎么拍|帮我选{ref}的码|不知道{ref}穿几码|{ref}我要几码|{ref}哪个码适合我|{ref}该拍多大
        |{ref}买多大的|{ref}穿什么尺码好|给我推荐{ref}的码|{ref}选大还是选小|{ref}拿什么码""",
    "missing_weight": """我身高{height}，{ref}穿多大|{height}厘米，{ref}选什么码|身高{height}穿{ref}几码
        |我{height}高，{ref}怎么选码|{height}的个子，{ref}拍多大|个子{height}，帮选{ref}的码
        |{ref}身高{height}穿几码|我有{height}，{ref}要多大|身高{height}，{ref}哪个码|{height}高的人{ref}穿啥码
        |本人{height}，{ref}选几码|{ref}，{height}厘米穿多大|我个头{height}，{ref}什么码
        |身高是{height}，{ref}拿几码""",
    "size": """身高{height}体重{weight}，{ref}穿什么码|我{height}厘米{weight}公斤，{ref}选多大
        |{ref}身高{height}体重{weight}穿几码|{height}高{weight}公斤，{ref}拍什么码
        |我身高{height}厘米重{weight}公斤，{ref}多大合适|{ref}适合{height}厘米{weight}公斤的什么码
        |体重{weight}公斤身高{height}，{ref}选几码|{height}厘米，{weight}公斤，{ref}要什么码
        |身高{height}，体重{weight}，{ref}哪个码|我{height}高{weight}公斤，{ref}穿多大
        |{ref}，{height}厘米{weight}公斤穿什么码|我体重{weight}公斤，身高{height}，{ref}要几码
        |{height}和{weight}公斤，{ref}拍几码|个子{height}体重{weight}，{ref}选什么码
        |{ref}给{height}厘米{weight}公斤的人穿几码|身高{height}、{weight}公斤，{ref}多大合身""",
    "promotion": """{ref}有什么优惠|{ref}怎么买划算|{ref}有券和活动吗|{ref}优惠力度多大|请问{ref}的优惠
        |{ref}能便宜吗，有什么优惠|{ref}现在优惠多少|说下{ref}的优惠|{ref}都有哪些优惠|{ref}怎么买便宜
        |{ref}优惠怎么算|{ref}能省多少|{ref}有啥券和活动|{ref}怎样最划算|讲讲{ref}的优惠|{ref}有折扣和券吗
        |{ref}优惠有哪些|{ref}怎么拍最省""",
    "coupon": """{ref}有优惠券吗|{ref}能领什么券|{ref}的券满多少减多少|{ref}有满减券吗|请问{ref}的券减多少
        |{ref}券怎么领，减多少|{ref}有没有券|领券的话{ref}减多少|{ref}的优惠券多少|{ref}券能减几块
        |{ref}用券减多少|{ref}券的门槛多少|{ref}有什么券|{ref}领券能省几元|{ref}满减是多少|{ref}券面多少""",
    "deal": """{ref}活动价多少|{ref}参加什么活动，什么价|{ref}搞活动吗，多少钱|{ref}活动后多少钱
        |请问{ref}的活动价|{ref}今晚活动什么价|做活动的话{ref}多少钱|{ref}活动价是几元|{ref}特价多少
        |{ref}促销价多少|{ref}参加活动后几元|{ref}有活动吗，活动价呢|{ref}现在活动卖多少|{ref}限时价是多少
        |{ref}活动能到什么价|说下{ref}的活动价""",
    "deal_end": """{ref}活动几点结束|{ref}活动到几点|{ref}的活动什么时候截止|{ref}活动还有多久，几点停
        |请问{ref}活动截止时间|{ref}活动价到几点|{ref}活动什么时候结束|{ref}活动几点截止|{ref}特价到几点
        |{ref}优惠几点停|{ref}活动几点没有|{ref}的活动到什么时间|{ref}促销几点结束|{ref}活动截到几点
        |{ref}活动时间到几点|几点前拍{ref}有活动价""",
    "lottery_time": """几点抽奖|什么时候抽奖|下次抽奖几点|抽奖还有多久，几点开|请问抽奖时间|福利几点抽|几点开奖
        |抽奖几点开始|今晚几点抽奖|抽奖是什么时间|什么时间开奖|抽奖定在几点|等会几点抽奖|抽奖时间说下|何时抽奖
        |几点有抽奖""",
    "lottery_prize": """抽奖抽什么|奖品是什么|这次抽奖送什么|抽中了送啥|请问抽奖的奖品|今晚抽什么奖|中奖给什么
        |抽奖有什么奖品|奖品是啥|抽奖能拿什么|中了能得什么|抽奖送的什么|说下抽奖奖品|抽的是什么东西|中奖送什么
        |抽奖礼物是什么""",
    "delivery": """{ref}几天能到|{ref}从哪发货，几天到|{ref}多久送到|{ref}发货要几天|请问{ref}哪里发货，多久到
        |{ref}快递要多久|{ref}拍了几天到货|现在买{ref}多久能收到|{ref}几天送到|{ref}多久到货
        |{ref}发货地在哪，几天到|{ref}物流要几天|{ref}下单后几天到|{ref}从哪里发，要多久|{ref}什么时候能到
        |{ref}寄过来几天|{ref}要等几天""",
    "carrier": """{ref}发什么快递|{ref}用哪家快递|{ref}走什么快递|请问{ref}的快递|{ref}是哪家送|{ref}寄什么快递
        |{ref}快递是哪家|{ref}哪家物流|{ref}什么物流公司|{ref}用什么快递发|{ref}发哪个快递|{ref}走哪家物流
        |{ref}快递公司是哪个|{ref}哪个快递送|{ref}由谁家配送|{ref}是什么快递""",
    "returns": """{ref}能退货吗|{ref}几天能退|{ref}不合适可以退吗|{ref}支持几天退换|请问{ref}退货期多久
        |{ref}不喜欢能退吗，几天内|{ref}退换货怎么算|{ref}几天内可退|{ref}退货时间多长|{ref}可以退换几天
        |{ref}买了能退吗|{ref}包退几天|{ref}退货期限几天|{ref}多少天内能退|{ref}收到后几天可退
        |{ref}能无理由退吗，几天""",
    "warranty": """{ref}保修多久|{ref}质保几个月|{ref}坏了保修吗|{ref}有质保吗，多久|请问{ref}的保修期
        |{ref}能保修几个月|{ref}保修期多长|{ref}保几个月|{ref}质保期多久|{ref}保修到什么时候，几个月
        |{ref}坏了管修多久|{ref}有保修吗，几个月|{ref}保修时间多少|{ref}质量保证多久|{ref}售后保修几个月""",
    "insurance": """{ref}有运费险吗|{ref}送运费险吗|退{ref}有运费险吗|{ref}带不带运费险|请问{ref}有没有运费险
        |{ref}包运费险吗|{ref}运费险有吗|{ref}含运费险吗|{ref}给上运费险吗|{ref}有无运费险|买{ref}有运费险吗
        |{ref}赠运费险吗|{ref}退货有运费险吗|拍{ref}送不送运费险""",
    "compare_price": """{ref}和{other}哪个便宜|{ref}跟{other}谁更便宜|{ref}和{other}比，哪款便宜
        |{ref}还是{other}便宜|比一下{ref}和{other}的价格|{ref}和{other}选便宜的，买哪个|{ref}与{other}价格哪个低
        |{ref}和{other}哪款价低|{ref}、{other}哪个省钱|{ref}和{other}谁的价更低|{ref}比{other}便宜吗，哪个便宜
        |在{ref}和{other}里挑便宜的|{ref}与{other}谁便宜|{ref}跟{other}相比哪个便宜""",
    "compare_weight": """{ref}和{other}哪个轻|{ref}跟{other}谁更轻|{ref}和{other}比，哪款轻|{ref}还是{other}轻
        |比一下{ref}和{other}的重量|{ref}和{other}想要轻的，买哪个|{ref}和{other}谁的重量小
        |{ref}与{other}哪个更轻|{ref}、{other}哪款轻|{ref}比{other}轻吗，哪个轻|在{ref}和{other}里挑轻的
        |{ref}跟{other}相比哪款轻|{ref}和{other}谁轻""",
}

ANSWERS = {
    "price": ("{link_id}号链接{price}元", "{price}元"),
    "material": ("{link_id}号链接是{material}的", "{material}的"),
    "color": ("{link_id}号链接是{color}", "是{color}"),
    "weight": ("{link_id}号链接重{weight_g}克", "{weight_g}克"),
    "stock": ("{link_id}号链接还有{stock}件", "还有{stock}件"),
    "variant": ("{link_id}号链接{variant}还有{count}件", "还有{count}件"),
    "where": ("{noun}是{link_id}号链接", "{link_id}号链接"),
    "greet": ("欢迎来到直播间", "欢迎欢迎"),
    "thanks": ("不客气", "不客气"),
    "farewell": ("下次再见", "再见"),
    "clock": ("现在{time}", "现在{time}"),
    "missing_link": ("请问是几号链接", "请问几号链接"),
    "missing_body": ("请问您的身高和体重是多少", "身高体重是多少"),
    "missing_weight": ("请问您的体重是多少", "体重是多少"),
    "unknown_link": ("直播间没有这个链接", "没有这个链接"),
    "unknown_product": ("直播间没有{noun}", "没有{noun}"),
    "size": ("{link_id}号链接建议穿{size}码", "建议{size}码"),
    "promotion": (
        "{link_id}号链接满{coupon_threshold}减{coupon_amount}，活动价{promotion_price}元",
        "券减{coupon_amount}活动{promotion_price}",
    ),
    "coupon": ("{link_id}号链接满{coupon_threshold}减{coupon_amount}", "满{coupon_threshold}减{coupon_amount}"),
    "deal": ("{link_id}号链接{promotion}{promotion_price}元", "活动价{promotion_price}元"),
    "deal_end": ("{link_id}号链接活动到{ends_at}结束", "{ends_at}结束"),
    "lottery_time": ("{time}抽奖", "{time}抽奖"),
    "lottery_prize": ("奖品是{prize}", "奖品是{prize}"),
    "delivery": ("{link_id}号链接从{ship_from}发货，{days}天到", "{ship_from}发{days}天到"),
    "carrier": ("{link_id}号链接发{carrier}快递", "发{carrier}快递"),
    "returns": ("{link_id}号链接支持{return_days}天退货", "{return_days}天可退货"),
    "warranty": ("{link_id}号链接保修{warranty_months}个月", "保修{warranty_months}个月"),
    "insurance_yes": ("{link_id}号链接有运费险", "有运费险"),
    "insurance_no": ("{link_id}号链接没有运费险", "没有运费险"),
    "compare_price": ("{a}号链接{left}元，{b}号链接{right}元，{best}号更便宜", "{best}号更便宜"),
    "compare_weight": ("{a}号链接{left}克，{b}号链接{right}克，{best}号更轻", "{best}号更轻"),
    "denied": ("这个暂时查不到", "暂时查不到"),
}
"""Kind to the sentence and its shortest form (12 characters at most, so that it fits beside long phrases)."""

ANY_OF = {
    "missing_link": "几号|哪个|哪款|哪一|哪号|链接号|什么链接",
    "missing_body": "身高|体重",
    "missing_weight": "体重|公斤|斤",
    "unknown_link": "没有|没上|未上|不在|不存在|没找到|查无|无此|未找到",
    "unknown_product": "没有|没上|未上|不在|不存在|没找到|查无|不卖|未找到",
    "denied": "查不到|查不了|无法|没法|不能查|没查到|看不到|失败",
    "insurance_yes": "运费险|有的|有哦|有呢",
    "insurance_no": "没有|没|无|不送|不带|不含",
    "compare_price": "便宜|低|划算|省",
    "compare_weight": "轻",
}
"""Kind to words of which a right reply has at least one."""

PAIRS = {
    "coupon": (("满", "coupon_threshold"), ("减", "coupon_amount")),
    "compare_price": ("便宜", "低", "划算", "省"),
    "compare_weight": ("轻",),
}
"""Words that must stand by the right value."""

FORBIDDEN = {"insurance_yes": "没有|无运费|没运费|不送|不带"}

EXPLICIT = "{n}号链接|{n}号|{c}号链接|{c}号"
"""Ways to name a link by number: in digits, in Chinese numerals."""
CURRENT = "这款|这个|这件"
"""Ways to mean the link that is being shown."""
HAS = ("有", "没有")
UNKNOWN = """电饭锅|空调|冰箱|自行车|雨伞|吉他|拖鞋|领带|袜子|鱼缸|口红|香水|轮椅|帐篷|打印机|洗衣机|泳镜|滑板
    |投影仪|花瓶|婴儿车|猫粮|扫地机|微波炉"""
"""Things that no catalogue row has."""
PRIZES = """蓝色雨伞|购物袋|小风扇|零食包|加湿器|水杯|暖手宝|体重秤|小夜灯|帆布包|护手霜|玩偶|充电线|便当盒"""
ONE_SIZE = "均码"
YUAN = "元"
