/** Languages whose words can be translated. */
export const TRANSLATED = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja'] as const;
export type Translated = (typeof TRANSLATED)[number];

/** Translated languages that separate words by spaces. */
export const SPACED = ['de', 'fr', 'es', 'it', 'pt', 'nl'] as const;
export type Spaced = (typeof SPACED)[number];

/** Languages that are recognized only, so that their texts are not taken for English. */
export const RECOGNIZED = ['sv', 'da', 'nb', 'fi', 'pl', 'cs', 'ro', 'hu', 'tr', 'id', 'vi', 'hr'] as const;
export type Recognized = (typeof RECOGNIZED)[number];
