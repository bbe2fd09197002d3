@NullMarked
package io.millrace.testkit.internal.patch;

import org.jspecify.annotations.NullMarked;
