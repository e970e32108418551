"""Writes recipes.train and recipes.test into the folder given (by default this one): ingredient lines of recipes, one
token a line with its label in IOB2, a blank line between records.

    QTY how much   UNIT of what measure   SIZE   NAME of the food   PREP how it is prepared   NOTE whatever else is said

Real lines are irregular, and so are these: fields are missing or stand in another order, words change their part ("3 cloves
garlic" but "4 whole cloves", "1 cup chopped walnuts" but "1 can chopped tomatoes"), annotators disagree on "fresh", and some
words are misspelt. The same seed gives the same files on every machine.
"""
import pathlib
import random
import sys

SEED = 20240611
RECORDS = {"recipes.train": 600, "recipes.test": 300}


class Kind:
    """Foods that are measured and prepared alike. In each list the head is common, the tail rare."""

    def __init__(self, share, measure, foods, before="", after=""):
        self.share, self.measure = share, measure
        self.foods, self.before, self.after = phrases(foods), phrases(before), phrases(after)


def phrases(text):
    return [phrase.split() for phrase in text.replace("\n", " ").split(";") if phrase.strip()]


KINDS = [
    Kind(13, "weight", """flour;sugar;brown sugar;all-purpose flour;rice;bread flour;icing sugar;rolled oats;red lentils;
        ground almonds;self-raising flour;basmati rice;couscous;polenta;whole wheat flour;almond meal;bulgur;semolina""",
         "packed;sifted;cooked;heaped", "sifted;rinsed;rinsed and drained;soaked overnight"),
    Kind(10, "block", """butter;cream cheese;cheddar cheese;unsalted butter;parmesan;feta cheese;mozzarella;goat cheese;
        ricotta;dark chocolate;mascarpone;blue cheese;white chocolate;gruyere cheese;lard""",
         "grated;melted;cold;shredded;softened;freshly grated;crumbled",
         "softened;melted;grated;cubed;at room temperature;crumbled;cut into cubes;shaved;cut into small pieces"),
    Kind(9, "block", """ground beef;chicken breast;chicken thighs;smoked salmon;minced lamb;pork shoulder;bacon;prawns;
        beef mince;salmon fillet;streaky bacon;stewing beef;cod fillets;sausage meat;ground turkey;duck legs;squid rings""",
         "boneless;diced;lean;frozen;skinless;cooked", """cut into strips;diced;trimmed;cut into 1 inch pieces;sliced;
        cut into bite-sized chunks;trimmed of fat;skin removed;shells removed and deveined;cooked and crumbled"""),
    Kind(6, "weight", """walnuts;mushrooms;raisins;potatoes;baby spinach;pecans;cherry tomatoes;hazelnuts;peas;broccoli florets;
        pine nuts;dried apricots;chestnut mushrooms;pumpkin;blueberries;green beans;almonds;dates;kale""",
         "chopped;frozen;sliced;toasted;roughly chopped;fresh", """chopped;toasted;roughly chopped;sliced;halved;thawed;
        peeled and cubed;trimmed;washed;pitted"""),
    Kind(15, "volume", """milk;water;olive oil;heavy cream;vegetable oil;chicken stock;white wine;coconut milk;soy sauce;
        buttermilk;double cream;lemon juice;red wine;vegetable stock;orange juice;cider vinegar;honey;maple syrup;sour cream;
        beef broth;plain yogurt;sesame oil;fish sauce;rice vinegar;creme fraiche;sherry;tomato passata;apple juice;dark rum""",
         "warm;hot;cold;boiling;lukewarm", "warmed;at room temperature;divided;heated;chilled;boiling;whisked"),
    Kind(17, "spoon", """salt;baking powder;vanilla extract;ground cinnamon;paprika;baking soda;ground cumin;cornstarch;
        black pepper;dried oregano;cayenne pepper;Dijon mustard;chili powder;curry powder;ground ginger;turmeric;tomato paste;
        garlic powder;dry yeast;smoked paprika;ground nutmeg;cocoa powder;ground cloves;dried thyme;garam masala;fennel seeds;
        tahini;Worcestershire sauce;sea salt;capers;poppy seeds;cream of tartar;mustard seeds;peanut butter;sumac""",
         "freshly ground;heaped;level;crushed", "sifted;divided;toasted;drained"),
    Kind(15, "count", """onion;onions;carrots;lemon;tomatoes;red onion;green bell pepper;apples;shallots;avocado;bananas;
        cucumber;zucchini;celery sticks;sweet potatoes;eggplant;red chili;orange;scallions;pears;jalapeno pepper;leeks;limes;
        beetroot;parsnips;bok choy;artichokes;mangoes;fennel bulb;plum tomatoes;gherkins""",
         "ripe;peeled;fresh;frozen", """chopped;finely chopped;diced;sliced;thinly sliced;peeled and diced;halved;grated;
        seeded and chopped;cut into wedges;peeled , cored and sliced;quartered;juiced;roughly chopped;zested;mashed"""),
    Kind(5, "count", "eggs;egg;egg yolks;egg whites;free-range eggs;quail eggs", "beaten;hard-boiled",
         "beaten;lightly beaten;separated;at room temperature;whisked"),
    Kind(4, "count", """bay leaves;cinnamon stick;whole cloves;flour tortillas;vanilla pod;star anise;burger buns;
        lasagne sheets;cardamom pods;filo pastry sheets;pita breads""", "", "warmed;split;toasted;crushed"),
]
UNITS = {  # one, many
    "weight": [("cup", "cups"), ("cup", "cups"), ("oz", "oz"), ("lb", "lbs"), ("pound", "pounds"), ("handful", "handfuls")],
    "block": [("ounce", "ounces"), ("oz", "oz"), ("lb", "lbs"), ("pound", "pounds"), ("slice", "slices"), ("stick", "sticks")],
    "volume": [("cup", "cups"), ("cup", "cups"), ("tablespoon", "tablespoons"), ("tbsp", "tbsp"), ("liter", "liters"),
               ("fl oz", "fl oz"), ("pint", "pints"), ("dl", "dl"), ("splash", "splashes")],
    "spoon": [("teaspoon", "teaspoons"), ("teaspoon", "teaspoons"), ("tsp", "tsp"), ("tsp.", "tsp."), ("Tbsp", "Tbsp"),
              ("tablespoon", "tablespoons"), ("pinch", "pinches"), ("dash", "dashes")],
    "herb": [("sprig", "sprigs"), ("bunch", "bunches"), ("handful", "handfuls"), ("stalk", "stalks"),
             ("tablespoon", "tablespoons")],
}
CANNED = phrases("""chopped tomatoes;tomatoes;diced tomatoes;black beans;chickpeas;tomato sauce;coconut milk;condensed milk;
    crushed pineapple;whole kernel corn;tuna;pumpkin puree;sliced peaches;refried beans;tomato paste;kidney beans;crab meat""")
HERBS = phrases("parsley;basil;coriander;thyme;mint;dill;rosemary;chives;sage;cilantro;tarragon;oregano;lemongrass;chervil")
NOTES = phrases("""optional;plus extra for dusting;to taste;divided;for garnish;or more to taste;for frying;or as needed;
    for serving;see note;plus more for greasing;if desired;for the sauce;or use margarine;preferably organic;as required;for decoration;
    at room temperature;or less , depending on taste;for the dough""")
SIZES = ["large", "small", "medium", "medium-sized", "big", "large"]


class Record:
    """Tokens with their labels; a field is added whole."""

    def __init__(self):
        self.rows = []

    def add(self, label, *words):
        for position, word in enumerate(words):
            self.rows.append((word, "O" if label == "O" else ("I-" if position else "B-") + label))
        return self


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *items):
        return self.random.choice(items)

    def common(self, items):
        """One of the items, those at the head more often."""
        return items[int(len(items) * self.random.random() ** 1.6)]

    def quantity(self, most):
        """Words for a number, and whether it takes the plural."""
        number = self.random.randint(1, most)
        style = self.random.random()
        if style < 0.58:
            return [str(number)], number > 1
        if style < 0.74:
            return [self.pick("1/2", "1/4", "3/4", "1/3", "2/3", "½", "¼", "0.5")], False
        if style < 0.85:
            return [str(number), self.pick("1/2", "1/4", "3/4", "½")], True
        if style < 0.92:
            return [self.pick(f"{number}-{number + 1}", f"{number}–{number + 1}")], True
        return self.pick(([str(number), "to", str(number + 1)], True), (["one"], False), (["two"], True),
                         (["a", "couple", "of"], True), (["half", "a"], False), (["a"], False))

    def grams(self):
        return str(25 * self.random.randint(1, 32))

    def amount(self, record, measure):
        """'2 1/2 cups', '200 g', '3 large'."""
        if measure in ("weight", "block") and self.chance(0.45):
            number, unit = self.grams(), self.pick("g", "g", "g", "grams")
            if unit == "g" and self.chance(0.4):
                return record.add("QTY", number + unit)
            return record.add("QTY", number).add("UNIT", unit)
        if measure == "volume" and self.chance(0.2):
            number = self.grams()
            return record.add("QTY", number + "ml") if self.chance(0.5) else record.add("QTY", number).add("UNIT", "ml")
        words, plural = self.quantity(3 if measure == "spoon" else 6)
        record.add("QTY", *words)
        if measure == "count":
            return record.add("SIZE", self.random.choice(SIZES)) if self.chance(0.35) else record
        one, many = self.random.choice(UNITS[measure])
        return record.add("UNIT", *(many if plural else one).split())

    def tail(self, record, after, prep=0.4, note=0.16):
        """What follows the name: ', finely chopped ( optional )'."""
        if after and self.chance(prep):
            if self.chance(0.88):
                record.add("O", ",")
            record.add("PREP", *self.common(after))
        if self.chance(note):
            words, style = self.common(NOTES), self.random.random()
            if style < 0.45:
                return record.add("O", "(").add("NOTE", *words).add("O", ")")
            return record.add("O", ",").add("NOTE", *words) if style < 0.8 else record.add("NOTE", *words)
        return record

    def plain(self, kind):
        record, food = Record(), self.common(kind.foods)
        if self.chance(0.07):  # "butter : 200 g", "Onions – 2 large"
            record.add("NAME", *food).add("O", self.pick(":", "-", "–"))
            return self.tail(self.amount(record, kind.measure), kind.after, prep=0.2)
        if not self.chance(0.05):
            self.amount(record, kind.measure)
            if kind.measure != "count" and self.chance(0.1):
                record.add("O", "of")
        if kind.before and self.chance(0.16):
            record.add("PREP", *self.common(kind.before))
        return self.tail(record.add("NAME", *food), kind.after)

    def garlic(self):
        words, plural = self.quantity(5)
        record = Record().add("QTY", *words)
        if self.chance(0.2):
            record.add("SIZE", self.random.choice(SIZES))
        clove, after = "cloves" if plural else "clove", phrases("minced;crushed;finely chopped;peeled;thinly sliced;smashed")
        if self.chance(0.35):
            return self.tail(record.add("NAME", "garlic", clove), after, prep=0.75)
        record.add("UNIT", self.pick(clove, clove, clove, "heads" if plural else "head"))
        if self.chance(0.3):
            record.add("O", "of")
        return self.tail(record.add("NAME", "garlic"), after, prep=0.75)

    def can(self):
        words, plural = self.quantity(3)
        record = Record().add("QTY", *words)
        size = self.pick("14.5 ounce", "400 g", "15 oz", "6 ounce", "28 ounce", "400g", "8 ounce").split()
        if self.chance(0.55):
            record.add("O", "(").add("SIZE", *size).add("O", ")")
        elif self.chance(0.4):
            record.add("SIZE", *size)
        record.add("UNIT", self.pick("can", "can", "tin", "jar", "package") + ("s" if plural else ""))
        after = phrases("drained;rinsed and drained;undrained;with juice;mashed")
        return self.tail(record.add("NAME", *self.common(CANNED)), after)

    def herb(self):
        record = Record()
        if self.chance(0.65):
            words, plural = self.quantity(4)
            one, many = self.random.choice(UNITS["herb"])
            record.add("QTY", *words).add("UNIT", many if plural else one)
            if self.chance(0.3):
                record.add("O", "of")
        chopped, fresh = self.chance(0.25), self.chance(0.55)
        if fresh and self.chance(0.25):  # some annotators take "fresh" into the name
            record.add("PREP", *["chopped"] * chopped).add("NAME", "fresh", *self.common(HERBS))
        else:
            record.add("PREP", *["chopped"] * chopped, *["fresh"] * fresh).add("NAME", *self.common(HERBS))
        return self.tail(record, phrases("chopped;finely chopped;leaves picked;torn;leaves only;snipped"), note=0.3)

    def seasoning(self):
        record, style = Record(), self.random.random()
        if style < 0.4:
            record.add("NAME", "salt").add("O", "and").add("PREP", *["freshly", "ground"] * self.chance(0.5))
            record.add("NAME", *["black"] * self.chance(0.6), "pepper")
            return record.add("NOTE", *["to", "taste"] * self.chance(0.8))
        if style < 0.7:
            record.add("PREP", *self.pick("juice", "zest", "grated rind", "finely grated zest").split(), "of")
            words, plural = self.quantity(2)
            return self.tail(record.add("QTY", *words).add("NAME", self.pick("lemon", "orange", "lime") + "s" * plural), [])
        foods = self.pick(*(kind.foods for kind in KINDS if kind.measure in ("spoon", "volume")))
        if style < 0.85:
            record.add("QTY", "a").add("UNIT", self.pick("pinch", "dash", "knob", "splash", "drizzle")).add("O", "of")
            return record.add("NAME", *self.common(foods))
        return self.tail(record.add("NAME", *self.common(foods)), [], note=0.9)

    def misspelt(self, word):
        if len(word) < 5 or not word.isalpha():
            return word
        at = self.random.randrange(1, len(word) - 2)
        return self.pick(word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1:],
                         word[:at] + word[at] + word[at:])

    def record(self):
        style = self.random.random()
        special = self.garlic if style < 0.05 else self.can if style < 0.12 else self.herb if style < 0.19 else self.seasoning
        if style < 0.24:
            made = special()
        else:
            made = self.plain(self.random.choices(KINDS, [kind.share for kind in KINDS])[0])
        rows = [(self.misspelt(word) if self.chance(0.02) else word, label) for word, label in made.rows]
        if self.chance(0.12):
            rows[0] = (rows[0][0][0].upper() + rows[0][0][1:], rows[0][1])
        return rows


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    writer = Writer(SEED)
    for name, count in RECORDS.items():
        records = ("".join(f"{word}\t{label}\n" for word, label in writer.record()) for _ in range(count))
        (folder / name).write_text("\n".join(records), encoding="utf-8")


main()
