/** Packets that a peer writes into slots of this node's memory, announced by an immediate value. */
@NullMarked
package io.millrace.path.slot;

import org.jspecify.annotations.NullMarked;
