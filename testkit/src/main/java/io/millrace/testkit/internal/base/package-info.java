/** What the packages for users are built on themselves. */
@NullMarked
package io.millrace.testkit.internal.base;

import org.jspecify.annotations.NullMarked;
