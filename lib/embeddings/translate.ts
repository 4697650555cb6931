/** Returns an English text as it is, a translation into English, or null for a text that cannot be translated. */
export type Translate = (text: string) => string | null;
