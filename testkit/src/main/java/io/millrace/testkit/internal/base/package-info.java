/** The foundation of the packages for users. */
@NullMarked
package io.millrace.testkit.internal.base;

import org.jspecify.annotations.NullMarked;
