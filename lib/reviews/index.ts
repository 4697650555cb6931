export { deleteReview } from './delete-review';
export { findReview } from './find-review';
export { getReviewStanding } from './get-review-standing';
export { listReviews } from './list-reviews';
export { readOwnReviews } from './read-own-reviews';
export { removeReply, replyToReview } from './reply-to-review';
export { eraseReviews, setHidden } from './store/reviews';
export { writeReview } from './write-review';
