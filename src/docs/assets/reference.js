// Draws the reference with Scalar, which sends requests to this server only. The anchors of operations are
// ours
// (`/docs#search`), so that links in responses do not depend on the renderer.
const RENDERED = {
  "#search": "#tag/places/search",
  "#place": "#tag/places/place",
  "#autocomplete": "#tag/places/autocomplete",
};

function openAlias() {
  const target = RENDERED[location.hash];
  if (target === undefined) return false;
  history.replaceState(null, "", target);
  return true;
}

openAlias();
addEventListener("hashchange", () => {
  // Scalar reads the anchor when it starts.
  if (openAlias()) location.reload();
});

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

// The key of a demo on this machine, so that the first request works.
async function readDemoKey() {
  const { demoKey: path } = document.querySelector("#reference").dataset;
  if (path === undefined) return undefined;
  try {
    const response = await fetch(path);
    return response.ok ? (await response.json()).key : undefined;
  } catch {
    return undefined;
  }
}

const draw = (demoKey) =>
  Scalar.createApiReference("#reference", {
    url: "/openapi.json",
    servers: [{ url: location.origin, description: "This server." }],
    theme: "default",
    layout: "modern",
    forceDarkModeState: prefersDark.matches ? "dark" : "light",
    hideDarkModeToggle: true,
    hideClientButton: true,
    showDeveloperTools: "never",
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: "json",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    authentication: {
      preferredSecurityScheme: "apiKey",
      ...(demoKey && { securitySchemes: { apiKey: { name: "x-api-key", in: "header", value: demoKey } } }),
    },
    generateTagSlug: (tag) => tag.name.toLowerCase(),
    generateOperationSlug: ({ path }) => path.slice(path.lastIndexOf("/") + 1),
  });

void readDemoKey().then(draw);
