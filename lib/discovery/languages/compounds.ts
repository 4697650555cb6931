/** Linking letters between the parts of a German or Dutch compound. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
const MIN_PART_LENGTH = 3;
const MIN_LENGTH = 7;
const MAX_LENGTH = 40;
/** Maximum parts of a compound. Longer compounds are rare, and their splits are rarely correct. */
const MAX_PARTS = 3;

type Translate = (part: string) => string | null;

/** Translations of the parts of a compound, in order, of as few parts as possible; null unless every part has one. */
export function splitCompound(word: string, translate: Translate): string | null {
  if (word.length > MAX_LENGTH) return null;
  for (let parts = 2; parts <= MAX_PARTS; parts += 1) {
    const english = splitInto(parts, word, translate);
    if (english !== null) return english;
  }
  return null;
}

function splitInto(parts: number, word: string, translate: Translate): string | null {
  if (parts === 1) return translate(word);
  if (word.length < MIN_LENGTH) return null;
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1) {
    const first = translateFirst(word.slice(0, at), translate);
    const rest = first === null ? null : splitInto(parts - 1, word.slice(at), translate);
    if (rest !== null) return `${first} ${rest}`;
  }
  return null;
}

function translateFirst(part: string, translate: Translate): string | null {
  for (const link of LINKS) {
    const bare = part.slice(0, part.length - link.length);
    if (!part.endsWith(link) || bare.length < MIN_PART_LENGTH) continue;
    const english = translate(bare);
    if (english !== null) return english;
  }
  return null;
}
