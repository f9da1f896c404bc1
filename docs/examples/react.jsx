import { PlaceSearch } from "hereabouts-react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const server = { baseUrl: "http://127.0.0.1:8080", apiKey: "hab_..." };

function App() {
  const [place, setPlace] = useState();
  return (
    <>
      <h1>Find a place</h1>
      <PlaceSearch {...server} lat={10.7769} lng={106.7009} onPlaceSelect={setPlace} />
      <p role="status">{place && `${place.value}: ${place.latitude}, ${place.longitude}`}</p>
    </>
  );
}

createRoot(document.getElementById("root")).render(<App />);
