/**
 * The event catalogue: the events that a transport lets observers see, and the subscribers'
 * contract.
 */
@NullMarked
package io.millrace.event;

import org.jspecify.annotations.NullMarked;
