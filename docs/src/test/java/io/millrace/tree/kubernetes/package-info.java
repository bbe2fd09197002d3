/** The manifests and the example of docs/kubernetes.md. */
@NullMarked
package io.millrace.tree.kubernetes;

import org.jspecify.annotations.NullMarked;
