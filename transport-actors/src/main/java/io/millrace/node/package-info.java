/** What applications and the engine both say of a node: its world, its loops, its drain. */
@NullMarked
package io.millrace.node;

import org.jspecify.annotations.NullMarked;
