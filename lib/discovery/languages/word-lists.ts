import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Languages whose words can be translated. */
export const TRANSLATED = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja'] as const;
export type Translated = (typeof TRANSLATED)[number];

/** Translated languages that separate words by spaces. */
export const SPACED = ['de', 'fr', 'es', 'it', 'pt', 'nl'] as const;
export type Spaced = (typeof SPACED)[number];

/** Languages that are only recognized, so that their texts are not treated as English. */
export const RECOGNIZED = ['sv', 'da', 'nb', 'fi', 'pl', 'cs', 'ro', 'hu', 'tr', 'id', 'vi', 'hr'] as const;
type Recognized = (typeof RECOGNIZED)[number];

/** Returns a function that computes a value on first use. */
export function lazy<T>(compute: () => T): () => T {
  let value: { of: T } | null = null;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}

/**
 * Returns the text of a file in `data/`. The working directory is the repository, as for every other file that the
 * server reads.
 */
export function readData(name: string): string {
  return readFileSync(path.resolve('lib/discovery/languages/data', name), 'utf8');
}

// The sections of the file are separated by empty lines: English words, names, and words used in every language.
const sections = lazy(() => {
  const [english = '', names = '', international = ''] = readData('common-words.txt').split('\n\n');
  return { english: setOf(english), names: setOf(names), international: setOf(international) };
});

function setOf(section: string): ReadonlySet<string> {
  return new Set(section.trim().split(/\s+/));
}

/**
 * Returns true for the 28,000 most common words of English text (approximately), American and British, including names
 * and software terms. Ignores case.
 */
export function isCommonWord(word: string): boolean {
  const key = word.toLowerCase();
  const { english, names, international } = sections();
  return english.has(key) || names.has(key) || international.has(key);
}

/**
 * Returns true for words that indicate an English text. Returns false for names and for words that other languages also
 * use.
 */
export function isEnglishWord(word: string): boolean {
  return sections().english.has(word);
}

/** Returns true for names of people, places, products and formats, and for words that most languages share. */
export function isInternational(word: string): boolean {
  return sections().international.has(word);
}

/** Returns true for names of people and places that are common in English texts. */
export function isName(word: string): boolean {
  return sections().names.has(word);
}

// Folded by `foldText`. They decide the language of a text and are omitted from its translation.
const functionWords: Record<'en' | Spaced | Recognized, string> = {
  en: `a about after all also am an and any anyone are as at be because been before being between both but by can could
    did do does doing don down each for from get gets give had has have having he help helps her here him his how i if
    in into is isn it its just let like ll make makes may me might more most must my myself need needs no nor not now of
    off on once only or os other our out over per please re s should show so some somebody someone something such t tell than
    that the their them then there these they thing things this those through to too try under until up us use using ve
    very via vs want wants was we were what when where which while who whose why will with without would yes you your yours`,
  de: `ab aber alle alles als also am an andere anderen auf aus automatisch bei beim bekommen bin bis bist bitte brauche
    brauchen braucht bzw da dabei damit dann daran darauf das dass davon dazu dein deine dem den der des dich die dies
    diese diesem diesen dieser dieses dir doch du durch durfen ein eine einem einen einer eines einige er es etwas euch
    euer fur gegen gerade gern gerne gesucht gib gibt hab habe haben hat hatte helfe helfen hier hilf hilfe hilft ich ihm ihn
    ihnen ihr ihre ihrem ihren im in ins ist ja jede jeden jeder jemand jemanden immer jetzt kann kannst kein keine keinen
    konnen konnte konnten lass lassen lasst lohnt mach mache machen macht mal man mehr mein meine meinem meinen meiner meines
    mich mir mit mochte mochten moglich muss mussen nach nicht nichts nie noch nun nur ob oder oft ohne per schon sehr sein seine
    seinem seinen seit sich sie sind so soll sollen sollte sowie such suche suchen sucht uber um und uns unser unsere unserem
    unseren unter viel viele vom von vor wahrend wann war warum was wegen weil welche welchen welcher welches wenn wer werden wie wieder will
    wir wird wo wohin wollen wunsche wurde wurden zu zum zur zwischen`,
  fr: `a ai aide aider aidez aie alors apres as au aucun aussi autre aux avant avec avez avoir avons besoin bien c car ce
    ceci cela celui ces cet cette ceux chaque cherche chercher combien comme comment d dans de des deux devrait devrais dit dois
    doit donc donne donner du elle elles en encore entre es est et etait etre eux fais fait faire faut ici il ils j je
    jusqu l la le les leur leurs lors lui m ma mais me meme mes moi moins mon n ne ni nos notre nous on ont ou par parce
    pas permet peu peut peux plus plusieurs plutot pour pourquoi pourrait pourrais puis puisse qu quand que quel quelle
    quelles quelqu quelque quelques quels qui quoi s sa sans se sera ses si soit son sont souhaite sous suis sur t ta te
    tes toi ton tous tout toute toutes tres trop tu un une va vais vers veut veux voici voila voudrais vos votre vous y`,
  es: `a ademas al algo alguien algun alguna algunas algunos ante antes aqui asi aun ayuda ayudame ayudar ayude bien busca
    buscando buscar busco cada casi como con contra cual cuales cuando cuanto de debe debo del desde donde dos durante e
    el ella ellos en entre era eres es esa ese eso esos esta estan estar estas este esto estos estoy fue gran ha hace
    hacen hacer haga hago han hasta hay he la las le les lo los mas me mejor mi mia mio mis mucho muchos muy nada necesita
    necesitamos necesito ni no nos nosotros nuestra nuestro nuestros o os otra otro otros para pero poco podria por porque
    pueda puede pueden puedes puedo pues que quien quienes quiere quiero quisiera sea ser si sin sobre solo son su sus
    tambien tan tanto te tengo ti tiene tienen toda todas todo todos tu tus un una unas uno unos usted y ya yo`,
  it: `a abbiamo ad agli ai aiuta aiutami aiutare aiuto al alcuni alla alle allo anche avere bisogno c che chi ci cio come
    con cosa cui d da dagli dai dal dalla dalle de degli dei del dell della delle dello deve devo di dopo dove due e ed
    era essere fa faccia fammi fare fra gli ha hai hanno ho i il in io l la le lei li lo loro lui ma mi mia mie miei
    mio molto ne nei nel nell nella nelle nello noi non nostra nostri nostro o ogni per perche piu poi posso possono
    potrebbe prima puo qual qualche qualcosa qualcuno quale quali quando quanto quella quelle quelli quello questa queste
    questi questo qui quindi se senza serve si sia sono sta su sua sue sugli sui sul sulla sulle suo suoi te tra tu tua
    tue tuo tuoi tutti tutto un una uno vi voglio vorrei`,
  pt: `a ajuda ajudar ajude alem algo alguem algum alguma algumas alguns ao aos apos aquele aquilo as ate com como contra
    cada da das de dela dele depois desde desta deste dois do dos e ela elas ele eles em entre era essa esse esta estao
    estar estas este estes estou eu facam faca faz fazer foi ha isso isto ja la lhe mais mas me mesmo meu meus minha
    minhas muito muitos na nada nao nas nem no nos nossa nosso num numa o onde os ou outra outro para pela pelas pelo
    pelos pode poderia podem por porque posso precisa precisamos preciso procura procurando procuro qual quais qualquer
    quando quanto que quem queria quer quero se sem ser seu seus sim so sobre sua suas sao tambem tem tenho ter teu
    toda todas todo todos tu tua tudo um uma umas uns vai voce voces vou`,
  nl: `aan alle alleen alles als andere ben bent bij da daar dan dat de deze die dit doe doen door dus een eens en er erg
    geef geen gegeven gezocht graag had hebben hebt heb heeft heel help helpen helpt het hier hij hoe hun ieder iedereen iemand
    iets ik in is jij jou jouw je jullie kan kon kun kunnen kunt laat laten maak maar maken me meer men met mij mijn
    moet moeten mogen na naar naast niemand niet niets nodig nog nou nu of om omdat onder ons onze ook op over pas sinds
    te tegen toch tot tussen u uit uw van veel via voor wanneer waar waarom wat we wel welk welke wie wij wil willen
    word worden wordt zal zich zij zijn zo zoals zoek zoeken zoekt zonder zou`,
  sv: `att av behover den det eller en ett for fran hjalp hur i inte jag kan med mig min mitt och om pa som till vad vi vill`,
  da: `af at det eller en er et for fra hjaelp hvordan hvad i ikke jeg kan med mig min mit og om pa skal som til vi vil`,
  nb: `av det eller en er et for fra hjelp hvordan hva i ikke jeg kan med meg min mitt og om pa skal som til vi vil`,
  fi: `ei etta haluan ja joka kuinka mika mina minun miten olen on ovat se tama tarvitsen voi voin`,
  pl: `aby albo bez chce czy dla dlaczego do gdzie jak jaki jest jestem ktory lub mam mi mnie moj moja moje na nie o od
    po pomoc pomoz potrzebuje przy sie szukam ten to w z za ze zeby znajdz`,
  cs: `aby ale bez chci co do hledam jak jako je jsem k kde ktery ma mi muj na nebo od pomoc potrebuji pro proc s se si ta
    to v ve z za`,
  ro: `aici am ca care caut ce cu cum de din este eu fara in la mea mele meu mi nevoie nu o pe pentru sa sau si sunt un
    unde vreau`,
  hu: `a az egy es hogy hogyan kell ki keresek mely mi miert mit nekem nem segits szeretnek vagy van`,
  tr: `ariyorum bana ben benim bir bu da de icin ihtiyacim ile istiyorum mi mu nasil ne nerede olan ve veya var yardim`,
  id: `ada agar aku anda apa atau bagaimana bantu bisa cara dan dari dengan di ini itu kami ke mau mencari saya untuk yang`,
  vi: `ban cach cai can cho co cua duoc giup gi khong la lam mot nao nhu o toi tim trong va ve voi`,
  hr: `ako ali bez da gdje i ili iz je kako koji li mi moj moje mogu na ne od po pomozi sa se sto su trazim trebam u uz za
    zelim`,
};

const functionWordSets = lazy(
  () =>
    new Map(
      Object.entries(functionWords).map(([language, list]) => [language, new Set(list.split(/\s+/))]),
    ) as ReadonlyMap<string, ReadonlySet<string>>,
);

/** Returns true for articles, pronouns, prepositions and words that only introduce a request. */
export function isFunctionWord(word: string, language: string): boolean {
  return functionWordSets().get(language)?.has(word) ?? false;
}
