/** Tests of the pinned dispatcher. */
@NullMarked
package io.millrace.actor.dispatcher;

import org.jspecify.annotations.NullMarked;
