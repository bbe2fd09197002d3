/** Load of several priorities beyond what a node can do, in virtual time. */
@NullMarked
package io.millrace.samples.overload;

import org.jspecify.annotations.NullMarked;
