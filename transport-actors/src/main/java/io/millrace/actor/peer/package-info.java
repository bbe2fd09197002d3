/**
 * One peer on one worker: its actor, its link to the application's calls, and the paths between the
 * two nodes. Everything but the commands runs on the worker's thread.
 */
@NullMarked
package io.millrace.actor.peer;

import org.jspecify.annotations.NullMarked;
