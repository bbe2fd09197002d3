/**
 * The life of a peer on one worker: its actor, its link to the application's calls, and when paths
 * begin and end. Everything but the commands runs on the worker's thread.
 */
@NullMarked
package io.millrace.path.peer;

import org.jspecify.annotations.NullMarked;
