/**
 * The pinned dispatcher: a Pekko dispatcher whose only thread alternates between the mailboxes of
 * its actors and the duty cycles that they registered.
 *
 * <p>One loop body ({@link io.millrace.loop.LoopBody}) serves every way to drive it: a thread that
 * spins, a thread that backs off, an application thread, a simulator.
 */
@NullMarked
package io.millrace.loop;

import org.jspecify.annotations.NullMarked;
