export { deleteReview } from './delete-review';
export { findReview } from './find-review';
export { getReviewerStatus } from './get-reviewer-status';
export { listReviews } from './list-reviews';
export { readOwnReviews } from './read-own-reviews';
export { removeReply, replyToReview } from './reply-to-review';
export { eraseReviews, setReviewHidden } from './store/reviews';
export { writeReview } from './write-review';
