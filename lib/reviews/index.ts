export { findReview, getReviewerStatus, listReviews, readOwnReviews } from './read-reviews';
export { eraseReviews, setReviewHidden } from './store/change-reviews';
export { insertDemoReviews } from './store/reviews';
export { deleteReview, removeReply, replyToReview, writeReview } from './write-reviews';
