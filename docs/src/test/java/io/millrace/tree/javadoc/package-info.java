/** The Javadoc of the packages for users. */
@NullMarked
package io.millrace.tree.javadoc;

import org.jspecify.annotations.NullMarked;
