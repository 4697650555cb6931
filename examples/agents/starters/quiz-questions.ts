export const topics = ['capitals', 'science', 'history', 'words'] as const;
export type Topic = (typeof topics)[number];
export type Level = 'easy' | 'hard';

export interface Question {
  text: string;
  /** The answer and accepted alternatives. */
  answers: string[];
}

/** One question per line: the country and its capital. */
const capitals: Record<Level, string> = {
  easy: `France = Paris
Japan = Tokyo
Italy = Rome
Egypt = Cairo
Canada = Ottawa
Spain = Madrid
Germany = Berlin
Greece = Athens
Peru = Lima
Norway = Oslo`,
  hard: `Kazakhstan = Astana | Nur-Sultan
Bhutan = Thimphu
Slovenia = Ljubljana
Myanmar = Naypyidaw | Nay Pyi Taw
Burkina Faso = Ouagadougou
Mongolia = Ulaanbaatar | Ulan Bator
Paraguay = Asunción
Madagascar = Antananarivo
Kyrgyzstan = Bishkek
Fiji = Suva`,
};

/** One question per line, with its answers. */
const others: Record<Exclude<Topic, 'capitals'>, Record<Level, string>> = {
  science: {
    easy: `Which planet is the largest in the solar system? = Jupiter
Which gas do plants take from the air to grow? = carbon dioxide | CO2
At how many degrees Celsius does water boil at sea level? = 100 | one hundred
What force keeps the planets in their orbits? = gravity | gravitation
How many bones does an adult human have? = 206
Which organ pumps blood through the body? = heart
What is the chemical symbol for gold? = Au`,
    hard: `Which particle carries the electromagnetic force? = photon
What is the most abundant gas in the atmosphere of Mars? = carbon dioxide | CO2
Which scientist arranged the elements in the first widely accepted periodic table? = Mendeleev | Mendeleyev
Which part of the cell makes proteins? = ribosome | ribosomes
What is the SI unit of magnetic flux density? = tesla
Which element has the atomic number 74? = tungsten | wolfram
What is the name of the boundary of a black hole? = event horizon`,
  },
  history: {
    easy: `In which year did the Second World War end? = 1945
Who was the first president of the United States? = George Washington | Washington
Which wall fell in November 1989? = Berlin Wall | the wall of Berlin
Which people built Machu Picchu? = Inca | Incas
Who was the first person to walk on the moon? = Neil Armstrong | Armstrong
Which ship sank on its first voyage in 1912? = Titanic`,
    hard: `In which year did Constantinople fall to the Ottomans? = 1453
Which treaty ended the Thirty Years' War? = Peace of Westphalia | Westphalia
Who was the first emperor of unified China? = Qin Shi Huang | Shi Huangdi
Which battle of 1066 made William king of England? = Hastings
Which empire did Mansa Musa rule? = Mali
In which year was the Magna Carta sealed? = 1215`,
  },
  words: {
    easy: `What is the plural of “mouse”, the animal? = mice
What is the opposite of “ancient”? = modern | new | recent
What do you call a word that means the same as another? = synonym
What is the past tense of “to go”? = went
What do you call a baby cat? = kitten
Which word for a color is also a fruit? = orange`,
    hard: `Which word means “lasting a very short time” and begins with e? = ephemeral
What do you call a word that reads the same backward? = palindrome
What is the plural of “criterion”? = criteria
What do you call the fear of spiders? = arachnophobia
Which word means “present everywhere” and begins with u? = ubiquitous
What do you call words that sound alike but differ in meaning? = homophone | homophones | homonyms`,
  },
};

/** Returns all questions of a topic and level. */
export function questionsOf(topic: Topic, level: Level): Question[] {
  const lines = (topic === 'capitals' ? capitals : others[topic])[level].split('\n');
  return lines.map((line) => {
    const [asked = '', answers = ''] = line.split(' = ');
    const text = topic === 'capitals' ? `What is the capital of ${asked}?` : asked;
    return { text, answers: answers.split(' | ') };
  });
}
