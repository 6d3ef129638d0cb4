"""Goods that viewers may ask for by name, beyond the catalogue's: a base model has met more than a shop sells."""

import json
from random import Random
from typing import Any

from hat.domains.task import Task
from hat.episode import Environment

GOODS = """
围巾 手套 帽子 皮带 领结 丝巾 睡衣 浴袍 雨衣 雨靴 凉鞋 靴子 布鞋 球鞋 皮鞋 短裤 长裙 背心 大衣 棉袄 校服 旗袍
项链 戒指 耳环 手镯 胸针 发夹 墨镜 眼镜 怀表 闹钟 挂钟 镜子 相框 蜡烛 香薰 花盆 水桶 拖把 扫帚 垃圾桶 衣架 鞋柜
书架 书桌 椅子 沙发 床垫 被子 毯子 床单 凉席 蚊帐 桌布 门帘 屏风 电扇 电视 烤箱 冰柜 豆浆机 榨汁机 咖啡机 电热毯
加湿器 净水器 热水器 取暖器 挂烫机 缝纫机 计算器 路由器 摄像头 麦克风 耳麦 硬盘 优盘 显示器 读卡器 数据线 插座
手电筒 望远镜 三脚架 相机 无人机 自拍杆 钢笔 铅笔 毛笔 本子 书包 橡皮 尺子 胶带 剪刀 地图 拼图 积木 风筝 气球
足球 篮球 排球 羽毛球 乒乓球 跳绳 哑铃 瑜伽垫 泳衣 泳帽 头盔 护膝 睡袋 登山杖 钓竿 口琴 笛子 二胡 钢琴 小提琴
牙膏 牙线 香皂 沐浴露 护手霜 唇膏 眼霜 面膜 防晒霜 指甲油 粉底 眉笔 梳妆台 棉签 纸巾 湿巾 口罩 创可贴 体温计 奶瓶
尿布 玩具 童车 狗粮 鸟笼 猫砂 鱼食 苹果 香蕉 葡萄 西瓜 芒果 核桃 红枣 花生 瓜子 糖果 蛋糕 面包 月饼 粽子 汤圆 饺子
面条 大米 面粉 酱油 米醋 香油 辣椒酱 豆腐 火腿 香肠 鸡蛋 牛奶 酸奶 奶粉 果汁 汽水 红茶 花茶 白酒 啤酒 矿泉水
""".split()


class Renamed:
    """A domain in which some goods bear another name."""

    def __init__(self, environment: Environment, sold: str, asked: str) -> None:
        self._environment, self._sold, self._asked = environment, sold, asked

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The output of the call, with the new name in it. Raises what the domain raises."""
        meant = json.loads(_dump(arguments).replace(self._asked, self._sold))
        return json.loads(_dump(self._environment.call(tool, meant)).replace(self._sold, self._asked))


def with_other_goods(task: Task, environment: Environment, rng: Random) -> tuple[Task, Environment]:
    """The task and its domain with other goods in the place of those that its first call searches for.

    Half of the new ones are made up. A task that searches for none stays as it is.
    """
    sold = task.expected.calls[0].arguments.get("keyword") if task.expected.calls else None
    if not sold:
        return task, environment
    made_up = "".join(rng.choice(rng.choice(GOODS)) for _ in range(rng.randint(2, 3)))
    asked = rng.choice(GOODS) if rng.random() < 0.5 else made_up
    return Task.model_validate_json(task.model_dump_json().replace(sold, asked)), Renamed(environment, sold, asked)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
