/**
 * The life of a peer on one worker: its link to the application's calls, and when its paths begin
 * and end. On the worker's thread, but for the handles and ports that say so.
 */
@NullMarked
package io.millrace.path.peer;

import org.jspecify.annotations.NullMarked;
