import { z } from 'zod';

/** Reads the value that an endpoint's query schema validates. */
export type QueryReader = (parameters: URLSearchParams) => object;

/** Returns the first value of each parameter. */
export const firstValues: QueryReader = (parameters) => Object.fromEntries([...parameters].reverse());

/** Returns the last value of each parameter, as in the filters of lists. */
export const lastValues: QueryReader = (parameters) => Object.fromEntries(parameters);

/** A required text. A missing value is read as an empty text, which matches nothing. */
export const requiredText = z.preprocess((value) => value ?? '', z.string());

/** Leaves a parameter out of the OpenAPI document. */
export const undocumented = { undocumented: true };
