@NullMarked
package io.millrace.testkit.cluster;

import org.jspecify.annotations.NullMarked;
