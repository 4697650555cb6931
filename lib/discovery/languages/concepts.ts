import { foldText } from '../../catalog';
import { familyOf, type Word } from './word-forms';
import { lazy, readData, SPACED, type Spaced, TRANSLATED, type Translated } from './word-lists';

/** Words of one language and their English translations. */
interface Vocabulary {
  /** Words and phrases, folded, as the table lists them. */
  exact: ReadonlyMap<string, string>;
  /** The single words by their first letters, separated by spaces; empty for Chinese and Japanese. */
  families: ReadonlyMap<string, string>;
  /** First words of phrases; empty for Chinese and Japanese. */
  phraseHeads: ReadonlySet<string>;
}

/** One row of the table: English, then the folded words of each language. */
interface Row {
  english: string;
  forms: string[];
}

// Lines that start with # are titles. The whole text is folded in one call, because folding each word takes ten times
// as long.
const rows = lazy((): Row[] => {
  const lines = readData('concepts.tsv').split('\n');
  const folded = foldText(lines.join('\n')).split('\n');
  return lines.flatMap((line, at) => {
    const [english = ''] = line.split('\t', 1);
    return at === 0 || line === '' || line.startsWith('#') ? [] : [{ english, forms: folded[at]?.split('\t') ?? [] }];
  });
});

const separator = /[\s'’-]+/;

const vocabularies = new Map(
  TRANSLATED.map((language, index) => [language, lazy(() => vocabularyOf(language, index + 1))]),
);

/** Returns the concepts' words in a language. */
export function conceptsIn(language: Translated): Vocabulary {
  const vocabulary = vocabularies.get(language);
  if (!vocabulary) throw new Error(`no concepts in ${language}`);
  return vocabulary();
}

function vocabularyOf(language: Translated, column: number): Vocabulary {
  const exact = new Map<string, string>();
  for (const { english, forms } of rows()) {
    for (const key of keysOf(forms[column] ?? '', language)) if (!exact.has(key)) exact.set(key, english);
  }
  return {
    exact,
    ...(isSpaced(language) ? indexOf(exact.keys(), language) : { families: new Map(), phraseHeads: new Set() }),
  };
}

/** Returns the folded words of a cell. The table contains only simplified characters. */
function keysOf(cell: string, language: Translated): string[] {
  const forms = cell.split(',');
  return isSpaced(language) && separator.test(cell) ? forms.map((form) => phraseKey(form.split(separator))) : forms;
}

function indexOf(words: Iterable<string>, language: Spaced): Pick<Vocabulary, 'families' | 'phraseHeads'> {
  const families = new Map<string, string>();
  const phraseHeads = new Set<string>();
  for (const word of words) {
    const space = word.indexOf(' ');
    if (space > 0) phraseHeads.add(word.slice(0, space));
    else {
      const key = familyOf(word, language);
      const family = families.get(key);
      families.set(key, family === undefined ? word : `${family} ${word}`);
    }
  }
  return { families, phraseHeads };
}

/** Returns a word or phrase in the form in which vocabularies list it. */
export function wordKey(text: string, language: Translated): string {
  const folded = foldText(text).trim();
  if (language === 'zh') return simplified(folded);
  return isSpaced(language) ? phraseKey(folded.split(separator)) : folded;
}

/** Returns folded words in the form used by vocabularies: in phrases, plurals and singulars are the same. */
function phraseKey(words: string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.map(singularOf).join(' ');
}

/** Returns the word without a French, Spanish or Portuguese plural ending. Phrases contain words in this form. */
function singularOf(word: string): string {
  return word.length > 3 && /[sx]$/.test(word) ? word.slice(0, -1) : word;
}

export function isSpaced(language: string): language is Spaced {
  return (SPACED as readonly string[]).includes(language);
}

/** Maximum words of a phrase of the table. */
const MAX_LENGTH = 5;

/** Returns the longest phrase of the table that starts at a word, and its translation; null if there is none. */
export function phraseAt(words: Word[], at: number, language: Spaced): { english: string; length: number } | null {
  const { exact, phraseHeads } = conceptsIn(language);
  if (!phraseHeads.has(singularOf(words[at]?.folded ?? ''))) return null;
  for (let length = Math.min(MAX_LENGTH, words.length - at); length > 1; length -= 1) {
    const english = exact.get(phraseKey(words.slice(at, at + length).map(({ folded }) => folded)));
    if (english !== undefined) return { english, length };
  }
  return null;
}

// Pairs of a traditional character and its simplified form, for the characters of the concept table.
const pairs = `們们個个這这來来為为與与從从對对時时後后會会無无沒没還还過过請请幫帮讓让給给說说話话語语譯译詞词讀读寫写書书學学
  習习課课題题試试師师員员買买賣卖價价錢钱銀银費费賬账帳账貨货購购發发單单據据財财務务稅税預预訂订約约機机飛飞車车
  鐵铁運运輸输遊游館馆飯饭廳厅飲饮麵面雞鸡魚鱼醫医藥药療疗診诊體体檢检護护傷伤電电腦脑網网絡络頁页號号碼码軟软檔档
  資资數数庫库錄录圖图畫画視视頻频聲声樂乐聽听見见覽览設设計计開开關关門门間间問问聞闻閱阅閃闪應应該该當当點点熱热
  氣气雲云風风陰阴陽阳測测報报導导環环節节國国際际東东廣广區区鄉乡鎮镇園园場场樓楼層层產产業业廠厂農农種种樹树葉叶
  蟲虫貓猫鳥鸟馬马豬猪親亲愛爱婦妇嬰婴兒儿孫孙歲岁歷历禮礼贈赠慶庆獎奖賽赛隊队練练慣惯動动勞劳險险證证簽签審审職职
  簡简條条議议協协訴诉訟讼權权憲宪監监獄狱賊贼創创辦办組组織织營营銷销團团總总經经濟济貿贸匯汇幣币貸贷債债儲储帶带
  裝装備备傳传遞递郵邮壞坏損损燈灯線线膠胶紙纸筆笔頭头髮发臉脸齒齿腸肠腎肾膚肤減减養养處处變变換换轉转擇择優优質质
  評评級级較较極极輕轻鬆松難难標标準准項项劃划進进遠远適适選选遺遗達达連连結结續续終终絕绝統统繼继編编縮缩繪绘緊紧
  維维聯联聰聪膽胆臨临舉举舊旧華华萬万藝艺蘋苹蘭兰補补複复製制規规觀观覺觉訊讯記记許许註注訪访誤误調调論论譜谱
  識识謝谢貝贝負负貢贡責责貴贵賃赁賓宾賞赏賠赔賴赖贊赞趕赶跡迹蹤踪軌轨載载輔辅輛辆輪轮辭辞邊边邏逻釋释鋼钢鎖锁鏡镜
  鐘钟長长閉闭隨随隱隐雜杂離离雙双靈灵響响頂顶順顺須须領领顏颜願愿類类顧顾顯显飾饰馮冯駐驻駕驾騎骑騙骗驗验驚惊鬧闹
  鮮鲜黃黄齊齐龍龙龜龟嗎吗啟启喚唤圍围圓圆執执塊块壓压壽寿夢梦夾夹奪夺寧宁實实寶宝專专將将尋寻屬属島岛幹干廢废彈弹
  強强彙汇復复徵征態态慮虑憂忧懷怀戰战戲戏戶户掃扫掛挂採采搖摇撥拨擊击擔担擴扩攝摄敗败敵敌斷断於于晉晋暫暂曬晒術术
  樣样構构槍枪樞枢橋桥歐欧歸归殘残殺杀毀毁決决況况洩泄淚泪淨净淺浅湯汤溝沟滅灭滿满漢汉潔洁濃浓濕湿灣湾災灾煙烟煩烦
  燒烧爭争爺爷牆墙狀状獨独獲获獻献現现瑪玛畢毕異异疊叠盜盗盤盘眾众礦矿禦御稱称積积穩稳窮穷窩窝競竞範范築筑籃篮糧粮
  紅红納纳純纯紋纹細细紹绍絲丝綠绿緩缓緣缘縣县罰罚罵骂聖圣肅肃脫脱腳脚臟脏艱艰蓋盖蔔卜薑姜藍蓝蘇苏衛卫裡里襯衬託托
  訓训詢询詳详誇夸誌志認认誠诚誰谁談谈豐丰貼贴賺赚趨趋軍军軸轴迴回醜丑釣钓鈔钞鈴铃鍋锅鍵键鑰钥鑽钻閒闲闆板陣阵陸陆
  隻只雖虽頓顿頸颈額额饞馋餓饿餘余駛驶髒脏鬍胡鹽盐麥麦麼么黨党乾干`;

const characters = lazy(() => {
  const letters = [...pairs.replace(/\s/g, '')];
  return new Map(letters.flatMap((letter, i) => (i % 2 === 0 ? [[letter, letters[i + 1] ?? letter] as const] : [])));
});

/** Converts Chinese text to simplified characters. */
export function simplified(text: string): string {
  return [...text].map((letter) => characters().get(letter) ?? letter).join('');
}
