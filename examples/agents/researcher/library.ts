/** A table known to the researcher, or attached to a question. */
export interface Dataset {
  title: string;
  fileName: string;
  csv: string;
  source: string;
  /** The numeric columns and the ways in which a question may mention them. */
  measures: Measure[];
}

export interface Measure {
  column: string;
  label: string;
  unit: string;
  /** Words that identify a question about this table. */
  words: RegExp;
}

const planets: Dataset = {
  title: 'the planets',
  fileName: 'planets.csv',
  source: 'NASA’s planetary fact sheet, rounded',
  csv: `planet,diameter_km,mass_earths,day_hours,year_days,moons,temperature_c
Mercury,4879,0.055,4222.6,88,0,167
Venus,12104,0.815,2802,224.7,0,464
Earth,12756,1,24,365.2,1,15
Mars,6792,0.107,24.7,687,2,-65
Jupiter,142984,317.8,9.9,4331,95,-110
Saturn,120536,95.2,10.7,10747,146,-140
Uranus,51118,14.5,17.2,30589,28,-195
Neptune,49528,17.1,16.1,59800,16,-200
`,
  measures: [
    { column: 'diameter_km', label: 'Diameter', unit: 'km', words: /diameter|large|larger|big|small|size|wide/i },
    { column: 'mass_earths', label: 'Mass', unit: 'Earth masses', words: /mass|heav|weigh|light/i },
    { column: 'day_hours', label: 'Length of the day', unit: 'hours', words: /\bday|rotat|spin/i },
    { column: 'year_days', label: 'Length of the year', unit: 'days', words: /\byear|orbit/i },
    { column: 'moons', label: 'Moons', unit: 'known moons', words: /moon|satellite/i },
    { column: 'temperature_c', label: 'Temperature', unit: '°C', words: /temperature|warm|hot|cold|cool/i },
  ],
};

const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];
const temperatures: Record<string, number[]> = {
  Rome: [8, 8, 11, 14, 19, 23, 26, 26, 21, 17, 12, 9],
  Oslo: [-2, -2, 1, 6, 11, 15, 18, 17, 12, 6, 2, -2],
  Cairo: [14, 15, 18, 22, 25, 27, 28, 28, 27, 24, 19, 15],
  Singapore: [27, 27, 28, 28, 29, 29, 28, 28, 28, 28, 27, 27],
};
const rain: Record<string, number[]> = {
  Rome: [65, 63, 60, 63, 52, 32, 18, 32, 70, 95, 112, 82],
  Oslo: [58, 43, 39, 48, 60, 79, 87, 101, 86, 91, 84, 57],
  Cairo: [5, 4, 4, 1, 0, 0, 0, 0, 0, 1, 4, 6],
  Singapore: [222, 105, 151, 164, 164, 136, 145, 148, 134, 166, 253, 332],
};

/** Returns a row for each city and month. */
function climate(column: string, values: Record<string, number[]>): string {
  const rows = Object.entries(values).flatMap(([city, all]) =>
    all.map((value, at) => `${city},${months[at]},${value}`),
  );
  return `city,month,${column}\n${rows.join('\n')}\n`;
}

const climateSource = 'rounded monthly normals of 1991 to 2020';

const temperature: Dataset = {
  title: 'the temperature of Rome, Oslo, Cairo and Singapore',
  fileName: 'temperature.csv',
  source: climateSource,
  csv: climate('temperature_c', temperatures),
  measures: [{ column: 'temperature_c', label: 'Monthly temperature', unit: '°C', words: /./ }],
};

const rainfall: Dataset = {
  title: 'the rain in Rome, Oslo, Cairo and Singapore',
  fileName: 'rain.csv',
  source: climateSource,
  csv: climate('rain_mm', rain),
  measures: [{ column: 'rain_mm', label: 'Monthly rain', unit: 'mm', words: /./ }],
};

const topics: [words: RegExp, dataset: Dataset][] = [
  [/planet|moon|mercury|venus|earth|mars|jupiter|saturn|uranus|neptune|solar system/i, planets],
  [/\brain|\bwet|\bdry|\bdriest|precipitation/i, rainfall],
  [/climate|weather|temperature|warm|cold|\bhot|rome|oslo|cairo|singapore|\bcit(?:y|ies)\b/i, temperature],
];

/** Topics that the researcher can answer. */
export const TOPICS = 'the planets, the temperature or the rain of Rome, Oslo, Cairo and Singapore';

/** Returns the table that a question is about; null if there is none. */
export function findDataset(question: string): Dataset | null {
  return topics.find(([words]) => words.test(question))?.[1] ?? null;
}

/** Returns the name (first column) of the row with this number in a column; null if there are several. */
export function nameOfRow({ csv }: Dataset, column: string, value: number): string | null {
  const [header = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const at = header.indexOf(column);
  const found = rows.filter((row) => at > 0 && Number(row[at]) === value);
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}
