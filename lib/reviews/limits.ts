/** Maximum characters of a review or a reply. */
export const MAX_REVIEW_LENGTH = 2_000;
export const REVIEW_PAGE_SIZE = 10;
/** Maximum page number that a client may request. */
export const MAX_REVIEW_PAGE = 1_000;
