export { isCommonWord } from './common-words';
export { toEnglish } from './to-english';
