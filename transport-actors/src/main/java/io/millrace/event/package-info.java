/** The event catalogue: what a transport lets observers see, and the subscribers' contract. */
@NullMarked
package io.millrace.event;

import org.jspecify.annotations.NullMarked;
