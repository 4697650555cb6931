/** Characters of a review or a reply. Apart from the schemas, so that a form need not load what checks them. */
export const MAX_REVIEW = 2_000;
