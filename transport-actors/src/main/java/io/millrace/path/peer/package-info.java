/**
 * The life of a peer on one worker: the peer's link to the application's calls, and the beginning
 * and end of the peer's paths. On the worker's thread, except the handles and ports documented
 * otherwise.
 */
@NullMarked
package io.millrace.path.peer;

import org.jspecify.annotations.NullMarked;
